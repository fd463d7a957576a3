-- A name that needs quotes: no scenario of the anomaly could be made, nor read again.
-- run: isomer audit --level SI --scenario-out $SCRATCH FOLDER/quoted_name.sql
-- status: 1
-- says: (confirmed)
-- run: isomer explore --level SI --find unserializable --granularity field $SCRATCH/SI-1.toml
-- status: 1
-- says: "goHome"(
-- run: isomer explore --level SI FOLDER/quoted_name.toml
-- status: 1
CREATE TABLE d (id int PRIMARY KEY, on_call boolean NOT NULL);
CREATE PROCEDURE "goHome"(who int, why int) LANGUAGE plpgsql AS $$
BEGIN
  IF true THEN
    IF EXISTS (SELECT 1 FROM d WHERE on_call AND id <> who) THEN
      UPDATE d SET on_call = false WHERE id = who;
    END IF;
  END IF;
END $$;
