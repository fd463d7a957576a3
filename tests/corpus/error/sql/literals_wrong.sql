CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  n := 'x';
  UPDATE t SET day = '2024-02-30';
  n := '99999999999';
  n := coalesce(a, 'y');
END $$;
