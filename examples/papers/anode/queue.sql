-- SPDX-License-Identifier: MIT
-- What is left of TPC-C if only the queue of new orders is kept: an order takes its number
-- from a counter, and a delivery takes the oldest order.
-- What can go wrong: a delivery sees the second order and not the first, although the second
-- saw the first, and takes the younger one.  Nagar and Jagannathan, CONCUR 2018, write
-- parallel snapshot isolation (section 3.2) in a way that allows this.

CREATE TABLE district (
  id   int PRIMARY KEY,
  next int NOT NULL
);

CREATE TABLE waiting (
  district int NOT NULL,
  number   int NOT NULL,
  PRIMARY KEY (district, number)
);

CREATE PROCEDURE new_order(place int) LANGUAGE plpgsql AS $$
DECLARE
  mine int;
BEGIN
  SELECT next INTO STRICT mine FROM district WHERE id = place;
  UPDATE district SET next = mine + 1 WHERE id = place;
  INSERT INTO waiting VALUES (place, mine);
END $$;

CREATE FUNCTION delivery(place int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  oldest int;
BEGIN
  SELECT min(number) INTO oldest FROM waiting WHERE district = place;
  IF oldest IS NOT NULL THEN
    DELETE FROM waiting WHERE district = place AND number = oldest;
  END IF;
  RETURN oldest;
END $$;
