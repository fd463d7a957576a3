-- Of an UPDATE of a primary key audit suspects more than can happen; with SERIALIZABLE for all types nothing can.
-- run: isomer advise --database postgresql FOLDER/moved_key.sql
-- status: 0
-- says: One level for all types: SERIALIZABLE; proved for any number of transactions
-- never: None of
-- run: isomer audit --level SER FOLDER/moved_key.sql
-- status: 0
-- says: by the definition of the level
CREATE TABLE log (id int, n int, v int, PRIMARY KEY (id, n));
CREATE PROCEDURE p(x int, y int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE log SET n = n + 2 WHERE id = x AND v = y;
END $$;
