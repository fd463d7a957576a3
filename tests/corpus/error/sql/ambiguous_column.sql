CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT t.id INTO n FROM t, t u WHERE id = a;
  SELECT t.id INTO n FROM t, t;
END $$;
