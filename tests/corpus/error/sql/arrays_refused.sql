CREATE TABLE t (id int PRIMARY KEY, c char(4), s text);
CREATE FUNCTION f(v int[], w bigint[], s text[], n int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  a int[];
  x int;
  r record;
BEGIN
  FOREACH x SLICE 1 IN ARRAY v LOOP NULL; END LOOP;
  FOREACH x IN ARRAY n LOOP NULL; END LOOP;
  FOREACH a IN ARRAY v LOOP NULL; END LOOP;
  FOREACH x IN ARRAY s LOOP NULL; END LOOP;
  n := v[1:2];
  n := (SELECT count(*) FROM unnest(v));
  n := (SELECT unnest(v));
  SELECT array_agg(c) INTO s FROM t;
  SELECT sum(id ORDER BY id) INTO n FROM t;
  SELECT max(v) INTO a FROM t;
  SELECT array_agg(DISTINCT id ORDER BY t.s) INTO a FROM t;
  SELECT array_agg(id, t.s) INTO a FROM t;
  IF v < v OR v = w OR n = ANY (n) OR n LIKE ANY (s) OR 'a'::text = ANY (v) THEN NULL; END IF;
  n := array_length(n, 1) + cardinality(s, 1) + array_position(v, 'a'::text);
  RETURN greatest(v, v) IS NULL;
END $$;
