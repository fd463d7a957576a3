CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT name INTO n FROM t WHERE id = a;
  DECLARE id int; BEGIN UPDATE t SET amount = 1 WHERE id = a; END;
END $$;
