-- Audit called this harmless: one instance did no harm, which says nothing of the others.
-- run: isomer audit --level SI --ignore-harmless FOLDER/having.sql
-- status: 1
-- says: NOT serializable
-- never: no harm done
-- run: isomer audit --level SI --ignore-harmless --json FOLDER/having.sql
-- status: 1
-- says: "verdict": "anomalies"
-- says: "harmless": false
-- run: isomer explore --level SI FOLDER/having.toml
-- status: 1
CREATE TABLE t (id int PRIMARY KEY, g int, v int);
CREATE PROCEDURE f(i int) LANGUAGE plpgsql AS $$

BEGIN
IF NOT EXISTS (SELECT g FROM t GROUP BY g HAVING count(*) >= 2) THEN UPDATE t SET g = 9 WHERE id = i; END IF;
END $$;
