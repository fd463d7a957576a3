CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  EXECUTE 'DELETE FROM t';
  FOR r IN EXECUTE 'SELECT 1' LOOP NULL; END LOOP;
END $$;
