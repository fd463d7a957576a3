CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  INSERT INTO t VALUES (1);
  INSERT INTO t (id, name) VALUES (1, 'x', 2);
  INSERT INTO t (id, id) VALUES (1, 2);
  INSERT INTO t (id, name) SELECT 1;
  INSERT INTO t VALUES (1, 'x') ON CONFLICT (name) DO NOTHING;
  UPDATE t SET name = 'x', name = 'y';
  UPDATE t SET name = 'x' FROM t;
  DELETE FROM t USING t u WHERE name = 'x' RETURNING * INTO r;
END $$;
