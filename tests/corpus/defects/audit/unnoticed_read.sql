-- Nobody notices what is read, so the write skew does no harm, whatever runs.
-- run: isomer audit --level SI --ignore-harmless --prove FOLDER/unnoticed_read.sql
-- status: 0
-- says: no harm done  1 harmless left out; proved for any number of transactions
-- run: isomer audit --level SI --ignore-harmless --json FOLDER/unnoticed_read.sql
-- status: 0
-- says: "verdict": "no harm"
-- run: isomer audit --level SI --json FOLDER/unnoticed_read.sql
-- status: 1
-- says: "verdict": "anomalies"
-- says: "harmless": true
-- says: "harm": "proved none"
CREATE TABLE d (id int PRIMARY KEY, on_call boolean NOT NULL);
CREATE PROCEDURE g(who int) LANGUAGE plpgsql AS $$
DECLARE n int;
BEGIN
  PERFORM 1 FROM d WHERE on_call AND id <> who;
  UPDATE d SET on_call = false WHERE id = who;
END $$;
