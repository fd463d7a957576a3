CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  n := r.id;
  SELECT id, name INTO r FROM t;
  n := r.amount;
  SELECT day INTO r FROM t;
  FOR n, r IN SELECT id, name FROM t LOOP NULL; END LOOP;
END $$;
