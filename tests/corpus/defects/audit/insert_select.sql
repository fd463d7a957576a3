-- Of an INSERT .. SELECT audit suspects more than can happen; with SERIALIZABLE for all types nothing can.
-- run: isomer advise --database postgresql FOLDER/insert_select.sql
-- status: 0
-- says: One level for all types: SERIALIZABLE; proved for any number of transactions
-- never: None of
-- run: isomer audit --level SER FOLDER/insert_select.sql
-- status: 0
-- says: by the definition of the level
CREATE TABLE item (id int PRIMARY KEY, a int);
CREATE TABLE log (id int, n int, v int, PRIMARY KEY (id, n));
CREATE PROCEDURE p(x int, y int) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO log SELECT id, 3, a FROM item WHERE a = x ON CONFLICT (id, n) DO UPDATE SET v = log.v + 1;
  UPDATE item SET a = (SELECT count(*) FROM log WHERE v = y) WHERE id = x;
END $$;
