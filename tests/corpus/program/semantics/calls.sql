-- Calls of other routines: CALL, PERFORM and in expressions; FOUND belongs to each routine.
CREATE TABLE account (id int PRIMARY KEY, balance int NOT NULL CHECK (balance >= 0));
CREATE TABLE log (id int PRIMARY KEY, what text);
-- It is called before it is defined.
CREATE PROCEDURE transfer(source int, target int, amount int) LANGUAGE plpgsql AS $$
BEGIN
  CALL deposit(target, amount);
  CALL withdraw(source, amount);
  IF NOT FOUND THEN
    CALL note('transfer of ' || amount);
  END IF;
END $$;
CREATE PROCEDURE withdraw(acc int, amount int) LANGUAGE plpgsql AS $$
BEGIN
  IF balance_of(acc) < amount THEN
    CALL note('refused');
    RETURN;
  END IF;
  UPDATE account SET balance = balance - amount WHERE id = acc;
END $$;
CREATE PROCEDURE deposit(acc int, amount int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account SET balance = balance + amount WHERE id = acc;
  IF NOT FOUND THEN
    INSERT INTO account VALUES (acc, amount);
  END IF;
END $$;
CREATE PROCEDURE note(what text) LANGUAGE plpgsql AS $$
DECLARE next int := (SELECT coalesce(max(id), 0) + 1 FROM log);
BEGIN
  INSERT INTO log VALUES (next, note.what);
END $$;
CREATE FUNCTION balance_of(acc int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  b int;
BEGIN
  SELECT balance INTO b FROM account WHERE id = acc;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  RETURN b;
END $$;
CREATE FUNCTION total() RETURNS bigint LANGUAGE sql AS $$ SELECT sum(balance) FROM account $$;
CREATE FUNCTION notes() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  r record;
  out text := '';
BEGIN
  FOR r IN SELECT what FROM log ORDER BY id LOOP out := out || r.what || ';'; END LOOP;
  RETURN out;
END $$;
CREATE FUNCTION state() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN balance_of(1) || ' ' || balance_of(2) || ' ' || coalesce(balance_of(balance_of(2)), 7) || ' ' || notes();
END $$;
CREATE PROCEDURE halves(x int, OUT low int, INOUT high int) LANGUAGE plpgsql AS $$
BEGIN
  low := x / 2 + high;
  IF x < 0 THEN RETURN; END IF;
  high := x - low;
END $$;
CREATE FUNCTION use_halves(x int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE a int; b int := 1;
BEGIN
  CALL halves(x, a, b);
  RETURN a || '/' || b;
END $$;
CREATE FUNCTION search(x int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  <<outer_loop>>
  FOR i IN 1..x LOOP
    FOR j IN 1..x LOOP
      IF i * j = x AND i > 1 THEN RETURN i * 100 + j; END IF;
      CONTINUE outer_loop WHEN i = 1;
    END LOOP;
  END LOOP;
END $$;
CREATE FUNCTION use_search(x int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  n int := search(6);
  m int := n + 1;
BEGIN
  <<outer_loop>>
  FOR i IN 1..3 LOOP
    n := n + search(x) * i;
    EXIT outer_loop WHEN search(4) = 202 AND i = 2;
  END LOOP;
  RETURN n * 10000 + m;
END $$;
CREATE FUNCTION fresh() RETURNS int LANGUAGE plpgsql AS $$
DECLARE x int; y int := 1;
BEGIN
  x := coalesce(x, 0) + y;
  y := y + 5;
  RETURN x;
END $$;
CREATE FUNCTION loops() RETURNS text LANGUAGE plpgsql AS $$
DECLARE n int := 0; out text := '';
BEGIN
  WHILE fresh() + n < 4 LOOP
    n := n + fresh();
    CONTINUE WHEN n = 2;
    out := out || n;
  END LOOP;
  IF n > 10 THEN out := 'no';
  ELSIF fresh() = 1 THEN out := out || 'elsif';
  END IF;
  CASE fresh() WHEN 2 THEN out := 'no'; WHEN fresh() THEN out := out || 'case'; END CASE;
  RETURN out;
END $$;
CREATE FUNCTION found_stays() RETURNS text LANGUAGE plpgsql AS $$
DECLARE a bool; b bool; x int;
BEGIN
  PERFORM 1 FROM account WHERE id = 1;
  x := balance_of(99);
  a := FOUND;
  PERFORM 1 FROM account WHERE id = 99;
  CALL note('x');
  b := FOUND;
  PERFORM balance_of(99);
  RETURN a || ' ' || b || ' ' || FOUND;
END $$;
CREATE FUNCTION no_return(x int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF x > 0 THEN RETURN x; END IF; END $$;
CREATE FUNCTION calls_no_return(x int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN no_return(x) + 1; END $$;
CREATE FUNCTION nothing() RETURNS void LANGUAGE plpgsql AS $$ BEGIN INSERT INTO log VALUES (100, 'n'); RETURN; END $$;
CREATE FUNCTION calls_nothing() RETURNS int LANGUAGE plpgsql AS $$
DECLARE x int;
BEGIN
  PERFORM nothing();
  SELECT balance_of(1) INTO x;
  INSERT INTO log VALUES (200 + balance_of(1), 'total ' || total());
  RETURN x;
END $$;
-- call deposit(1, 50) => ok
-- call transfer(1, 2, 20) => ok
-- call state() => 30 20 0 transfer of 20;
-- call transfer(1, 2, 31) => ok
-- call state() => 30 51 0 transfer of 20;refused;transfer of 31;
-- call balance_of(9) => 0
-- call total() => 81
-- call use_halves(9) => 5/4
-- call use_halves(-9) => -3/1
-- call use_search(6) => 8120204
-- call use_search(4) => 8090204
-- call use_search(7) => 23060204
-- call fresh() => 1
-- call loops() => 13elsifcase
-- call found_stays() => true false true
-- call no_return(1) => 1
-- call no_return(0) => ERROR 2F005 control reached end of function without RETURN
-- call calls_no_return(1) => 2
-- call calls_no_return(0) => ERROR 2F005 control reached end of function without RETURN
-- call calls_nothing() => 30
-- call calls_nothing() => ERROR 23505 duplicate key value violates unique constraint "log_pkey"
-- call notes() => transfer of 20;refused;transfer of 31;x;n;total 81;
