-- Audit called this harmless: harm needs one particular argument.
-- run: isomer audit --level SI --ignore-harmless FOLDER/rare_argument.sql
-- status: 1
-- says: NOT serializable
-- never: no harm done
-- run: isomer audit --level SI --ignore-harmless --json FOLDER/rare_argument.sql
-- status: 1
-- says: "verdict": "anomalies"
-- says: "harmless": false
-- run: isomer explore --level SI FOLDER/rare_argument.toml
-- status: 1
CREATE TABLE d (id int PRIMARY KEY, on_call boolean NOT NULL);
CREATE PROCEDURE g(who int, why int) LANGUAGE plpgsql AS $$
BEGIN
  IF why = 17 THEN
    IF EXISTS (SELECT 1 FROM d WHERE on_call AND id <> who) THEN
      UPDATE d SET on_call = false WHERE id = who;
    END IF;
  END IF;
END $$;
