CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT id, count(*) INTO r FROM t;
  SELECT name INTO n FROM t WHERE count(*) > 1;
  SELECT sum(name) INTO n FROM t;
  SELECT max(count(*)) INTO n FROM t;
  SELECT name, sum(amount) INTO r FROM t GROUP BY day;
  n := count(*);
END $$;
