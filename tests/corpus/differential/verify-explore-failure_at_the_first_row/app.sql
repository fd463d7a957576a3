CREATE TABLE acc (id int PRIMARY KEY, owner int NOT NULL, n int NOT NULL CHECK (n >= -3));
CREATE TABLE log (a int, b int, v int, PRIMARY KEY (a, b), FOREIGN KEY (a) REFERENCES acc (id));
CREATE PROCEDURE t0(x int, y int) LANGUAGE plpgsql AS $$
DECLARE v int := 0; w int := 1; r record;
BEGIN
  INSERT INTO log SELECT id, y, acc.n FROM acc WHERE id <> 3 ON CONFLICT DO NOTHING;
  SELECT n INTO v FROM acc WHERE id = 2 FOR UPDATE;
  INSERT INTO log SELECT id, y, acc.n FROM acc ON CONFLICT DO NOTHING;
  IF EXISTS (SELECT 1 FROM acc WHERE id = x) THEN
    UPDATE log SET v = log.v + 1 WHERE a = x;
  END IF;
END $$;
CREATE PROCEDURE t1(x int, y int) LANGUAGE plpgsql AS $$
DECLARE v int := 0; w int := 1; r record;
BEGIN
  SELECT n INTO w FROM acc WHERE id = w;
  DELETE FROM acc;
  IF y >= 0 THEN RAISE EXCEPTION 'no'; END IF;
END $$;
