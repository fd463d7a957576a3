-- Audit called this harmless: one instance did no harm, which says nothing of the others.
-- run: isomer audit --level SI --ignore-harmless FOLDER/self_join.sql
-- status: 1
-- says: NOT serializable
-- never: no harm done
-- run: isomer audit --level SI --ignore-harmless --json FOLDER/self_join.sql
-- status: 1
-- says: "verdict": "anomalies"
-- says: "harmless": false
-- run: isomer explore --level SI FOLDER/self_join.toml
-- status: 1
CREATE TABLE t (id int PRIMARY KEY, g int, v int);
CREATE PROCEDURE f(i int) LANGUAGE plpgsql AS $$

BEGIN
IF (SELECT count(*) FROM t a JOIN t b ON a.g = b.g AND a.id < b.id) = 0 THEN UPDATE t SET g = 5 WHERE id = i; END IF;
END $$;
