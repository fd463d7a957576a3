-- SPDX-License-Identifier: MIT
-- Every rule of the grammar in Nagar and Jagannathan, CONCUR 2018, section 3.1, as SQL has it.
-- A set of values there is the result of a query here: v in w is IN (SELECT ..), FOREACH is
-- FOR .. IN SELECT, and CHOOSE v is LIMIT 1.
-- What can go wrong: two who choose a free seat at the same time may choose the same one.

CREATE TABLE seat (
  id    int PRIMARY KEY,
  row   int NOT NULL,
  taken int
);

CREATE TABLE wish (
  guest int NOT NULL,
  seat  int NOT NULL,
  PRIMARY KEY (guest, seat)
);

-- v := CHOOSE w; UPDATE; v = NULL
CREATE FUNCTION choose(who int, near int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  free int;
BEGIN
  SELECT id INTO free FROM seat WHERE row = near AND taken IS NULL LIMIT 1;
  IF free IS NULL THEN
    RETURN NULL;
  END IF;
  UPDATE seat SET taken = who WHERE id = free;
  RETURN free;
END $$;

-- f in v, both of a list and of a query; v1 in v2; INSERT
CREATE FUNCTION take_wish(who int, first int, second int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF first IN (SELECT seat FROM wish WHERE guest = who) THEN
    RETURN false;
  END IF;
  INSERT INTO wish VALUES (who, first) ON CONFLICT DO NOTHING;
  UPDATE seat SET taken = who
  WHERE id = ANY (ARRAY[first, second]) AND taken IS NULL;
  UPDATE seat SET taken = who
  WHERE id IN (SELECT seat FROM wish WHERE guest = who) AND taken IS NULL;
  RETURN true;
END $$;

-- FOREACH; DELETE
CREATE PROCEDURE leave(who int) LANGUAGE plpgsql AS $$
DECLARE
  mine record;
BEGIN
  FOR mine IN SELECT seat FROM wish WHERE guest = who LOOP
    UPDATE seat SET taken = NULL WHERE id = mine.seat AND taken = who;
  END LOOP;
  DELETE FROM wish WHERE guest = who;
END $$;

-- MIN, MAX, COUNT; a OR b; NOT a; a + b, a - b, a * b, a / b
CREATE FUNCTION spread(near int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  low    int;
  high   int;
  number int;
BEGIN
  SELECT min(id) INTO low FROM seat WHERE row = near;
  SELECT max(id) INTO high FROM seat WHERE row = near OR row = near + 1;
  SELECT count(*) INTO number FROM seat WHERE NOT row = near;
  IF low IS NULL OR number * 2 > high THEN
    RETURN 0;
  END IF;
  RETURN (high - low) / 2;
END $$;
