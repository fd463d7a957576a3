-- SPDX-License-Identifier: MIT
-- Seats that are counted, and sold one by one.
CREATE TABLE seat (
  id    int PRIMARY KEY,
  buyer text
);

CREATE TABLE sale (
  id    int PRIMARY KEY,
  seats int NOT NULL
);

-- Looks, and then writes: a reader that becomes a writer.
CREATE PROCEDURE buy(name text) LANGUAGE plpgsql AS $$
DECLARE
  free int;
BEGIN
  SELECT min(id) INTO free FROM seat WHERE buyer IS NULL;
  IF free IS NOT NULL THEN
    UPDATE seat SET buyer = name WHERE id = free;
    UPDATE sale SET seats = seats + 1;
  END IF;
END $$;

CREATE FUNCTION count_seats() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  taken bigint;
  sold bigint;
BEGIN
  SELECT count(*) INTO taken FROM seat WHERE buyer IS NOT NULL;
  SELECT sum(seats) INTO sold FROM sale;
  RETURN taken - sold;
END $$;

-- Goes on where it should give up.
CREATE PROCEDURE give(name text, place int) LANGUAGE plpgsql AS $$
BEGIN
  BEGIN
    UPDATE sale SET seats = seats + 1;
  EXCEPTION WHEN serialization_failure THEN
    NULL;
  END;
  UPDATE seat SET buyer = name WHERE id = place;
END $$;

CREATE PROCEDURE add_seat(place int) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO seat VALUES (place, NULL);
END $$;

-- Of databases with locks of rows.
CREATE PROCEDURE reserve(name text) LANGUAGE plpgsql AS $$
DECLARE
  free int;
BEGIN
  PERFORM pg_advisory_xact_lock(1);
  SELECT id INTO free FROM seat WHERE buyer IS NULL LIMIT 1 FOR UPDATE SKIP LOCKED;
  UPDATE seat SET buyer = name WHERE id = free;
END $$;
