CREATE TABLE acc (id int PRIMARY KEY, owner int NOT NULL, n int CHECK (n >= -3), UNIQUE (owner, n));
CREATE TABLE log (a int, b int, v int, PRIMARY KEY (a, b));
CREATE PROCEDURE t0(x int, y int) LANGUAGE plpgsql AS $$
DECLARE v int := 0; w int := 1; r record;
BEGIN
  SELECT n INTO w FROM acc WHERE id = x;
  INSERT INTO log SELECT id, 0, acc.n FROM acc ON CONFLICT DO NOTHING;
  INSERT INTO log SELECT id, 1, acc.n FROM acc WHERE id = 2 ON CONFLICT DO NOTHING;
  INSERT INTO acc VALUES (x, y, v);
END $$;
