-- Control flow of PL/pgSQL.
CREATE TABLE t (id int PRIMARY KEY, v int);
CREATE FUNCTION fill(n int) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..n LOOP
    INSERT INTO t VALUES (i, i * i);
  END LOOP;
  RETURN FOUND;
END $$;
CREATE FUNCTION countdown(n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE s text := '';
BEGIN
  FOR i IN REVERSE n..1 BY 2 LOOP
    s := s || i || ',';
  END LOOP;
  RETURN s;
END $$;
CREATE FUNCTION collatz(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE steps int := 0;
BEGIN
  WHILE n <> 1 LOOP
    IF n % 2 = 0 THEN n := n / 2; ELSE n := 3 * n + 1; END IF;
    steps := steps + 1;
  END LOOP;
  RETURN steps;
END $$;
CREATE FUNCTION jumps() RETURNS text LANGUAGE plpgsql AS $$
DECLARE s text := '';
BEGIN
  <<outer>>
  FOR i IN 1..5 LOOP
    FOR j IN 1..5 LOOP
      CONTINUE outer WHEN j = i;
      EXIT outer WHEN i = 4;
      EXIT WHEN j = 3;
      s := s || i || j || ' ';
    END LOOP;
    s := s || '| ';
  END LOOP;
  RETURN s || FOUND;
END $$;
CREATE FUNCTION snapshot_loop() RETURNS int LANGUAGE plpgsql AS $$
DECLARE r record; n int := 0;
BEGIN
  FOR r IN SELECT id, v FROM t ORDER BY id LOOP
    n := n + r.v;
    UPDATE t SET v = 1000 WHERE id = r.id + 1;
    DELETE FROM t WHERE id = r.id;
  END LOOP;
  RETURN n;
END $$;
CREATE FUNCTION empty_loop() RETURNS text LANGUAGE plpgsql AS $$
DECLARE a int := 7;
BEGIN
  FOR a IN SELECT v FROM t WHERE id < 0 LOOP
    a := 9;
  END LOOP;
  RETURN COALESCE(a, -1) || ' ' || FOUND;
END $$;
CREATE FUNCTION raises(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  UPDATE t SET v = 77 WHERE id = 1;
  IF n > 5 THEN RAISE EXCEPTION 'too large: % of %', n, 5; END IF;
  ASSERT n > 0, 'must be positive';
  RETURN n;
END $$;
CREATE FUNCTION cases(n int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  CASE n WHEN 1 THEN RETURN 'one'; WHEN 2, 3 THEN RETURN 'few'; END CASE;
  RETURN 'unreached';
END $$;
CREATE FUNCTION elsif(n int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  IF n < 0 THEN RETURN 'neg'; ELSIF n = 0 THEN RETURN 'zero'; ELSE RETURN 'pos'; END IF;
END $$;
CREATE FUNCTION null_bound(n int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  FOR i IN 1..n LOOP NULL; END LOOP;
  RETURN 1;
END $$;
CREATE FUNCTION overflow(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE a int;
BEGIN
  a := n::bigint * 3;
  RETURN a;
END $$;
CREATE FUNCTION rounding(x numeric) RETURNS int LANGUAGE plpgsql AS $$
DECLARE a int; b numeric(5,1);
BEGIN
  a := x; b := x;
  RETURN a + b * 10;
END $$;
-- call fill(0) => f
-- call fill(4) => t
-- call fill(2) => ERROR 23505 duplicate key value violates unique constraint "t_pkey"
-- call countdown(6) => 6,4,2,
-- call countdown(0) =>
-- call collatz(27) => 111
-- call jumps() => 21 31 32 true
-- call raises(3) => 3
-- call raises(6) => ERROR P0001 too large: 6 of 5
-- call raises(0) => ERROR P0004 must be positive
-- call raises(NULL) => ERROR P0004 must be positive
-- call cases(1) => one
-- call cases(3) => few
-- call cases(4) => ERROR 20000 case not found
-- call elsif(-1) => neg
-- call elsif(0) => zero
-- call elsif(NULL) => pos
-- call null_bound(NULL) => ERROR 22004 upper bound of FOR loop cannot be null
-- call overflow(1000000000) => ERROR 22003 integer out of range
-- call overflow(100) => 300
-- call rounding(2.55) => 29
-- call empty_loop() => -1 false
-- eval (SELECT sum(v) FROM t) => 106
-- call snapshot_loop() => 106
-- eval (SELECT count(*) FROM t) => 0
