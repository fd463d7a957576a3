CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT id FROM t;
  SELECT id, name INTO n FROM t;
  SELECT id INTO n, m FROM t;
  INSERT INTO t (id, name) VALUES (1, b) RETURNING id;
  UPDATE t SET name = b INTO n;
  SELECT id INTO n FROM t INTO n;
END $$;
