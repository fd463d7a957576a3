CREATE TABLE t (id int PRIMARY KEY, v int);
CREATE PROCEDURE f() LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  SELECT id AS a, v AS a INTO r FROM t ORDER BY a;
  SELECT id % 2 AS b, v % 2 AS b INTO r FROM t GROUP BY b;
  SELECT concat() AS c INTO r FROM t;
END $$;
