-- SPDX-License-Identifier: MIT
-- Every rule of the grammar in Nagar and Jagannathan, CONCUR 2018, section 3.1, as SQL has it.
-- A variable that holds a set of values is an array here: f in v is f = ANY (v), FOREACH is
-- FOREACH .. IN ARRAY, and CHOOSE v is v[1].  A set of records is a query: FOR .. IN SELECT, and
-- LIMIT 1 for CHOOSE.
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

-- The same with variables that hold sets: v := SELECT; f in v and its negation; v1 in v2;
-- v = NULL; FOREACH v1 IN v2; CHOOSE v
CREATE FUNCTION take_any(who int, others int[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  wanted int[] := ARRAY(SELECT seat FROM wish WHERE guest = who ORDER BY seat);
  free   int[];
  chosen int;
  one    int;
BEGIN
  IF who = ANY (others) THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(id ORDER BY id) INTO free
  FROM seat WHERE id = ANY (wanted) AND taken IS NULL;
  IF free IS NULL THEN
    RETURN NULL;
  END IF;
  chosen := free[1];
  UPDATE seat SET taken = who WHERE id = chosen;
  DELETE FROM wish WHERE seat = chosen AND guest <> ALL (others);
  FOREACH one IN ARRAY others LOOP
    INSERT INTO wish VALUES (one, chosen + 1) ON CONFLICT DO NOTHING;
  END LOOP;
  RETURN chosen;
END $$;
