CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  n := ARRAY[1];
  IF b ILIKE 'x' THEN NULL; END IF;
  IF a = ALL (SELECT id FROM t) THEN NULL; END IF;
  n := (a).x;
  n := a::money;
  n := 2 ^ 3;
  n := a # 3;
  IF (a, 1) < (1, 2) THEN NULL; END IF;
END $$;
