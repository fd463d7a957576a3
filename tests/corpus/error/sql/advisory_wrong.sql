CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE numbers(k bigint, s text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
BEGIN
  PERFORM pg_advisory_lock();
  PERFORM pg_advisory_xact_lock(1, 2, 3);
  PERFORM pg_advisory_lock(k, 1);
  PERFORM pg_try_advisory_lock(s);
  PERFORM pg_advisory_unlock_all(1);
  SELECT pg_advisory_lock(1) INTO n;
  PERFORM pg_advisory_lock(id) FROM t;
  PERFORM 1 FROM t WHERE pg_try_advisory_lock(id);
  PERFORM pg_advisory_lock((SELECT max(id) FROM t));
  IF k > 1 AND pg_try_advisory_lock(1) THEN
    NULL;
  END IF;
  PERFORM other.pg_advisory_lock(1);
END $$;
CREATE FUNCTION last(k int) RETURNS bool LANGUAGE sql AS $$ SELECT pg_try_advisory_lock(k) $$;
