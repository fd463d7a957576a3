-- Violations abort; what a transaction did before is undone.
CREATE TABLE parent (id int PRIMARY KEY, code text UNIQUE, amount int CHECK (amount >= 0));
CREATE TABLE child (id int PRIMARY KEY, parent int REFERENCES parent (id), tag varchar(3) NOT NULL, n numeric(4,2) DEFAULT 1.5);
CREATE PROCEDURE add_parent(i int, c text, a int) LANGUAGE plpgsql AS $$
BEGIN INSERT INTO parent VALUES (i, c, a); END $$;
CREATE PROCEDURE add_child(i int, p int, t text) LANGUAGE plpgsql AS $$
BEGIN INSERT INTO child (id, parent, tag) VALUES (i, p, t); END $$;
CREATE PROCEDURE add_two(i int, j int) LANGUAGE plpgsql AS $$
BEGIN INSERT INTO parent VALUES (i, 'x' || i, 1); INSERT INTO parent VALUES (j, 'x' || j, 1); END $$;
CREATE PROCEDURE add_n(i int, x numeric) LANGUAGE plpgsql AS $$
BEGIN INSERT INTO child (id, tag, n) VALUES (i, 'n', x); END $$;
CREATE PROCEDURE drop_parent(i int) LANGUAGE plpgsql AS $$
BEGIN DELETE FROM parent WHERE id = i; END $$;
CREATE PROCEDURE drop_child(i int) LANGUAGE plpgsql AS $$
BEGIN DELETE FROM child WHERE id = i; END $$;
CREATE PROCEDURE move_parent(i int, j int) LANGUAGE plpgsql AS $$
BEGIN UPDATE parent SET id = j WHERE id = i; END $$;
CREATE PROCEDURE shift_all(d int) LANGUAGE plpgsql AS $$
BEGIN UPDATE parent SET id = id + d; END $$;
CREATE PROCEDURE recode(i int, c text) LANGUAGE plpgsql AS $$
BEGIN UPDATE parent SET code = c WHERE id = i; END $$;
CREATE PROCEDURE spend(i int, d int) LANGUAGE plpgsql AS $$
BEGIN UPDATE parent SET amount = amount - d WHERE id = i; END $$;
CREATE PROCEDURE adopt(i int, p int) LANGUAGE plpgsql AS $$
BEGIN UPDATE child SET parent = p WHERE id = i; END $$;
CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL CHECK (balance >= 0));
CREATE PROCEDURE open_account(i int, b int) LANGUAGE plpgsql AS $$
BEGIN INSERT INTO account VALUES (i, b); END $$;
CREATE PROCEDURE withdraw_or_add(small int, d int) LANGUAGE plpgsql AS $$
BEGIN UPDATE account SET balance = CASE WHEN id = small THEN balance - d ELSE balance + d END; END $$;
-- call add_parent(1, 'a', 10) => ok
-- call add_parent(1, 'b', 10) => ERROR 23505 duplicate key value violates unique constraint "parent_pkey"
-- call add_parent(2, 'a', 10) => ERROR 23505 duplicate key value violates unique constraint "parent_code_key"
-- call add_parent(2, 'b', -1) => ERROR 23514 new row for relation "parent" violates check constraint "parent_amount_check"
-- call add_parent(2, 'b', NULL) => ok
-- call add_parent(NULL, 'c', 1) => ERROR 23502 null value in column "id" of relation "parent" violates not-null constraint
-- call add_parent(3, NULL, 1) => ok
-- call add_parent(4, NULL, 1) => ok
-- call add_two(7, 1) => ERROR 23505 duplicate key value violates unique constraint "parent_pkey"
-- eval (SELECT count(*) FROM parent) => 4
-- call add_two(7, 8) => ok
-- call add_child(1, 1, 'x') => ok
-- call add_child(2, 99, 'x') => ERROR 23503 insert or update on table "child" violates foreign key constraint "child_parent_fkey"
-- call add_child(2, NULL, 'xyz') => ok
-- call add_child(3, 2, NULL) => ERROR 23502 null value in column "tag" of relation "child" violates not-null constraint
-- call add_child(3, 2, 'long') => ERROR 22001 value too long for type character varying(3)
-- call add_child(3, 2, 'lo   ') => ok
-- eval (SELECT '[' || tag || ']' FROM child WHERE id = 3) => [lo ]
-- eval (SELECT n FROM child WHERE id = 1) => 1.50
-- call add_n(4, 12.345) => ok
-- call add_n(5, 123) => ERROR 22003 numeric field overflow
-- eval (SELECT n FROM child WHERE id = 4) => 12.35
-- call drop_parent(1) => ERROR 23503 update or delete on table "parent" violates foreign key constraint "child_parent_fkey" on table "child"
-- call drop_parent(4) => ok
-- call drop_parent(55) => ok
-- call move_parent(1, 10) => ERROR 23503 update or delete on table "parent" violates foreign key constraint "child_parent_fkey" on table "child"
-- call move_parent(3, 7) => ERROR 23505 duplicate key value violates unique constraint "parent_pkey"
-- call move_parent(3, 11) => ok
-- call recode(8, 'a') => ERROR 23505 duplicate key value violates unique constraint "parent_code_key"
-- call recode(8, 'x8') => ok
-- call recode(8, NULL) => ok
-- call spend(1, 11) => ERROR 23514 new row for relation "parent" violates check constraint "parent_amount_check"
-- call spend(1, 10) => ok
-- call adopt(1, 98) => ERROR 23503 insert or update on table "child" violates foreign key constraint "child_parent_fkey"
-- call adopt(1, 7) => ok
-- call drop_parent(1) => ok
-- call drop_child(3) => ok
-- call drop_child(1) => ok
-- call shift_all(-100) => ok
-- eval (SELECT sum(id) FROM parent) => -372
-- eval (SELECT count(*) FROM child) => 2
-- call open_account(1, 5) => ok
-- call open_account(2, 2147483647) => ok
-- call withdraw_or_add(1, 10) => ERROR 23514 new row for relation "account" violates check constraint "account_balance_check"
-- call open_account(3, 5) => ok
-- call withdraw_or_add(3, 10) => ERROR 22003 integer out of range
