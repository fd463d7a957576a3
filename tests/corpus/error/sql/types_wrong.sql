CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  n := b;
  n := a + b;
  UPDATE t SET day = 5 WHERE name = a;
  IF a THEN NULL; END IF;
  UPDATE t SET amount = true;
END $$;
