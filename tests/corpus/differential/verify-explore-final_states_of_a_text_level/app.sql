CREATE TABLE acc (id int PRIMARY KEY, owner int NOT NULL, n int NOT NULL, UNIQUE (owner, n));
CREATE TABLE log (a int, b int, v int, PRIMARY KEY (a, b));
CREATE PROCEDURE t0(x int, y int) LANGUAGE plpgsql AS $$
DECLARE v int := 0; w int := 1; r record;
BEGIN
  DELETE FROM log WHERE a = x;
  UPDATE acc SET n = n - 1;
END $$;
