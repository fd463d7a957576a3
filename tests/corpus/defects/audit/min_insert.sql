-- Audit called this harmless: one instance did no harm, which says nothing of the others.
-- run: isomer audit --level SI --ignore-harmless FOLDER/min_insert.sql
-- status: 1
-- says: NOT serializable
-- never: no harm done
-- run: isomer audit --level SI --ignore-harmless --json FOLDER/min_insert.sql
-- status: 1
-- says: "verdict": "anomalies"
-- says: "harmless": false
-- run: isomer explore --level SI FOLDER/min_insert.toml
-- status: 1
CREATE TABLE t (id int PRIMARY KEY, g int, v int);
CREATE PROCEDURE f(i int) LANGUAGE plpgsql AS $$
DECLARE m int;
BEGIN
SELECT min(v) INTO m FROM t WHERE g = 1; INSERT INTO t VALUES (i, 1, m - 1);
END $$;
