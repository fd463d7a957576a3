-- Joins, pinned and scanned.
CREATE TABLE owner (name text PRIMARY KEY, city text);
CREATE TABLE account (id int PRIMARY KEY, owner text, balance int NOT NULL);
CREATE TABLE entry (account int, line int, amount int, PRIMARY KEY (account, line));
CREATE PROCEDURE fill() LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO owner VALUES ('ann', 'Paris'), ('bob', NULL), ('a/b %', 'Rome');
  INSERT INTO account VALUES (1, 'ann', 10), (2, 'bob', 20), (3, 'ann', 30), (4, NULL, 40), (5, 'a/b %', 1);
  INSERT INTO entry VALUES (1, 1, 5), (1, 2, 5), (3, 1, 30), (9, 1, 99);
END $$;
CREATE FUNCTION listing() RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; out text := '';
BEGIN
  FOR r IN SELECT o.name, a.id, a.balance FROM owner o LEFT JOIN account a ON a.owner = o.name AND a.balance > 10 ORDER BY o.name, a.id LOOP
    out := out || r.name || ':' || COALESCE(r.id, -1) || ';';
  END LOOP;
  RETURN out;
END $$;
CREATE FUNCTION three() RETURNS bigint LANGUAGE sql AS $$
  SELECT sum(e.amount) FROM owner o JOIN account a ON a.owner = o.name JOIN entry e ON e.account = a.id WHERE o.city = 'Paris'
$$;
-- call fill() => ok
-- call listing() => a/b %:-1;ann:3;bob:2;
-- call three() => 40
-- eval (SELECT count(*) FROM account a, owner o) => 15
-- eval (SELECT count(*) FROM account a JOIN owner o ON o.name = a.owner) => 4
-- eval (SELECT sum(a.balance) FROM account a JOIN owner o ON o.name = a.owner WHERE o.city = 'Paris') => 40
-- eval (SELECT city FROM account a JOIN owner o ON o.name = a.owner WHERE a.id = 5) => Rome
-- eval (SELECT count(*) FROM account a LEFT JOIN owner o ON o.name = a.owner) => 5
-- eval (SELECT count(*) FROM account a LEFT JOIN owner o ON o.name = a.owner WHERE o.name IS NULL) => 1
-- eval (SELECT count(o.city) FROM account a LEFT JOIN owner o ON o.name = a.owner) => 3
-- eval (SELECT sum(amount) FROM entry WHERE account = 1) => 10
-- eval (SELECT amount FROM entry WHERE account = 1 AND line = 2) => 5
-- eval (SELECT count(*) FROM entry e JOIN account a ON a.id = e.account) => 3
-- eval (SELECT count(*) FROM entry e LEFT JOIN account a ON a.id = e.account WHERE a.id IS NULL) => 1
-- eval (SELECT max(a.id) FROM account a JOIN account b ON a.id = b.id + 1 WHERE b.balance >= 20) => 5
-- eval (SELECT count(*) FROM account WHERE owner = 'ann' AND id > 1) => 1
-- eval (SELECT count(*) FROM account WHERE id = NULL) => 0
-- eval (SELECT balance FROM account WHERE id = (SELECT max(account) FROM entry WHERE account < 9)) => 30
-- eval (SELECT count(*) FROM account a WHERE a.id IN (SELECT account FROM entry)) => 2
-- eval (SELECT city FROM owner WHERE name = 'a/b %') => Rome
