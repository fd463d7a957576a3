CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  COMMIT;
  GET DIAGNOSTICS n = ROW_COUNT;
  CALL q();
  OPEN c;
  RETURN QUERY SELECT 1;
  FOREACH n IN ARRAY x LOOP NULL; END LOOP;
  TRUNCATE t;
END $$;
