CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT id INTO n FROM t UNION SELECT 1;
  SELECT id INTO n FROM (SELECT 1 AS id) s;
  SELECT id INTO n FROM t RIGHT JOIN t u USING (id);
  SELECT id INTO n FROM generate_series(1, 2) AS id;
  SELECT DISTINCT ON (id) id INTO n FROM t;
  SELECT rank() OVER () INTO n FROM t;
  WITH x AS (SELECT 1) SELECT 1 INTO n;
END $$;
