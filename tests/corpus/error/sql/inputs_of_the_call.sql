CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  UPDATE t SET day = now();
  UPDATE t SET day = current_date;
  n := random();
  n := nextval('s');
END $$;
