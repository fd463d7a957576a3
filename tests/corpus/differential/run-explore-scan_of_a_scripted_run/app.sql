CREATE TABLE acc (id int PRIMARY KEY, owner int NOT NULL, n int, UNIQUE (owner, n));
CREATE TABLE log (a int, b int, v int, PRIMARY KEY (a, b));
CREATE PROCEDURE t0(x int, y int) LANGUAGE plpgsql AS $$
DECLARE v int := 0; w int := 1; r record;
BEGIN
  IF NOT FOUND THEN
    INSERT INTO acc VALUES (1, 1, v + 1);
  END IF;
  IF EXISTS (SELECT 1 FROM acc WHERE acc.n = v) THEN
    SELECT n INTO v FROM acc WHERE id = w;
  ELSE
    INSERT INTO acc VALUES (2, 1, 1) ON CONFLICT DO NOTHING;
  END IF;
  IF NOT FOUND THEN
    IF x > 0 THEN
      SELECT count(*) INTO v FROM acc JOIN log ON a = id WHERE owner = y;
    ELSE
      DELETE FROM log WHERE a = w;
    END IF;
  END IF;
END $$;
CREATE PROCEDURE t1(x int, y int) LANGUAGE plpgsql AS $$
DECLARE v int := 0; w int := 1; r record;
BEGIN
  SELECT n INTO v FROM acc WHERE id = x;
  IF w > y THEN
    SELECT n, id INTO v, w FROM acc WHERE acc.n = 0 ORDER BY n DESC, id LIMIT 1;
  ELSE
    UPDATE acc SET n = n + y;
  END IF;
  UPDATE acc SET n = w WHERE id <> w;
  UPDATE acc SET n = n + y;
END $$;
