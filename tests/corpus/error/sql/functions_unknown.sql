CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  n := foo(1);
  n := lenght(b);
  n := round(a);
  n := power(2, 3);
  n := substring(a, 1);
  n := sum(DISTINCT b, 3);
END $$;
