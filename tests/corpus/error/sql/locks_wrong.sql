CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT count(*) INTO n FROM t FOR UPDATE;
  SELECT DISTINCT id INTO n FROM t FOR SHARE;
END $$;
