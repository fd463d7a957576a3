CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  EXIT;
  CONTINUE WHEN true;
  <<l>> LOOP EXIT m; END LOOP;
  <<b>> BEGIN EXIT b; END;
  <<c>> n := 1;
END $$;
