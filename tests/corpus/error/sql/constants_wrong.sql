CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  RETURN 3;
  RAISE EXCEPTION '% and %', a;
  RAISE EXCEPTION 'none', a;
  ASSERT a;
  ASSERT a > 0, b;
  DECLARE k CONSTANT int := 1; BEGIN k := 2; END;
END $$;
