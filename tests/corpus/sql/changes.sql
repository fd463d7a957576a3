-- INSERT, UPDATE, DELETE.
CREATE TABLE counter (name text PRIMARY KEY, value int NOT NULL DEFAULT 0, seen date);
CREATE TABLE log (id bigint, part int, entry varchar(10), PRIMARY KEY (id, part));

CREATE FUNCTION changes(key text, by int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  was int;
  row counter%ROWTYPE;
BEGIN
  INSERT INTO counter VALUES (key, by, NULL);
  INSERT INTO counter (name) VALUES (key), (key || '2');
  INSERT INTO counter (name, value) VALUES (key, DEFAULT) ON CONFLICT DO NOTHING;
  INSERT INTO counter AS c (name, value) VALUES (key, by)
    ON CONFLICT (name) DO UPDATE SET value = c.value + excluded.value, seen = NULL WHERE c.value > 0
    RETURNING value INTO was;
  INSERT INTO log SELECT value, 1, name FROM counter WHERE value > by;
  UPDATE counter SET value = value + by, seen = '2024-01-31' WHERE name = key RETURNING * INTO row;
  UPDATE counter SET (value, seen) = (row.value, row.seen + 1);
  UPDATE log SET entry = (SELECT c.name FROM counter c WHERE c.value = log.part) WHERE id = 1 AND part = 2;
  IF NOT FOUND THEN
    DELETE FROM log WHERE id = was RETURNING part INTO STRICT was;
  END IF;
  DELETE FROM counter;
  RETURN was;
END $$;
