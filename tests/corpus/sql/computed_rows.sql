CREATE TABLE t (id int PRIMARY KEY, n int, name text);
CREATE TABLE u (id int PRIMARY KEY, t_id int REFERENCES t, n int);
CREATE FUNCTION taken_apart(a int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE total int;
BEGIN
  SELECT sum(x.twice) INTO total FROM (SELECT id, n * 2 AS twice FROM t WHERE n > a) x JOIN u ON u.t_id = x.id WHERE x.twice < 10;
  WITH x AS (SELECT u.id, t.name FROM u LEFT JOIN t ON t.id = u.t_id) SELECT count(*) INTO total FROM x WHERE x.name IS NULL;
  SELECT x.id INTO total FROM (SELECT id FROM t WHERE n = a) x FOR UPDATE;
  UPDATE t SET n = x.more FROM (SELECT t_id, n + 1 AS more FROM u) x WHERE x.t_id = t.id AND (SELECT max(id) FROM u WHERE u.n = x.more) > a;
  RETURN total;
END $$;
CREATE FUNCTION computed(a int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE total int;
BEGIN
  SELECT x.total INTO total FROM (SELECT t_id, sum(n) AS total FROM u GROUP BY t_id) x WHERE x.t_id = a;
  SELECT x.id INTO total FROM (SELECT id FROM t ORDER BY n LIMIT 3) x ORDER BY x.id FOR UPDATE OF x;
  SELECT n INTO total FROM t UNION ALL (SELECT n FROM u EXCEPT VALUES (1), (a)) ORDER BY n LIMIT 1;
  WITH x AS (SELECT DISTINCT n FROM t) SELECT count(*) INTO total FROM x, x y WHERE x.n < y.n;
  WITH x AS (SELECT id, n FROM t WHERE id = a FOR UPDATE) UPDATE t SET n = x.n + 1 FROM x WHERE t.id = x.id;
  RETURN total;
END $$;
CREATE PROCEDURE changes(a int) LANGUAGE plpgsql AS $$
DECLARE total int;
BEGIN
  WITH gone AS (DELETE FROM u WHERE t_id = a RETURNING id, n), more AS (UPDATE t SET n = 0 WHERE id = a)
    INSERT INTO u SELECT id + 1, NULL, n FROM gone;
  MERGE INTO t USING (VALUES (a, 5)) s (k, n) ON t.id = s.k
    WHEN MATCHED AND t.n > s.n THEN DELETE
    WHEN MATCHED THEN UPDATE SET n = t.n + s.n
    WHEN NOT MATCHED AND s.k > 3 THEN DO NOTHING
    WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.k, s.n);
END $$;
