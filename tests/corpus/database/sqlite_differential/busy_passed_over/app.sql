CREATE TABLE t (id int PRIMARY KEY, v int);
CREATE PROCEDURE add(k int) LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN
  SELECT v INTO x FROM t WHERE id = 1;
  BEGIN
    UPDATE t SET v = x + k WHERE id = 1;
  EXCEPTION WHEN serialization_failure THEN
    NULL;
  END;
END $$;
