-- Audit did not see what is read for the initial value of a variable.
-- run: isomer audit --level SI FOLDER/declared_read.sql
-- status: 1
-- says: write skew: g and g
CREATE TABLE d (id int PRIMARY KEY, on_call boolean NOT NULL);
CREATE PROCEDURE g(who int) LANGUAGE plpgsql AS $$
DECLARE n int := (SELECT count(*) FROM d WHERE on_call AND id <> who);
BEGIN
  IF n > 0 THEN
      UPDATE d SET on_call = false WHERE id = who;
  END IF;
END $$;
