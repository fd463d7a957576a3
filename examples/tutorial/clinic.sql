-- SPDX-License-Identifier: MIT
-- A clinic at night: who is on call, and how many beds are taken.
--
-- The rule of the house is that somebody is always on call.  go_home checks it, and yet one
-- night nobody was there: docs/TUTORIAL.md finds out why, and what to do about it.

CREATE TABLE doctor (
  id      int PRIMARY KEY,
  name    text NOT NULL,
  on_call boolean NOT NULL
);

CREATE TABLE ward (
  id   int PRIMARY KEY,
  beds int NOT NULL  -- that are taken
);

CREATE TABLE patient (
  id   int PRIMARY KEY,
  ward int NOT NULL
);

-- A doctor goes home if somebody else stays.
CREATE PROCEDURE go_home(who int) LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM doctor WHERE on_call AND id <> who) THEN
    UPDATE doctor SET on_call = false WHERE id = who;
  END IF;
END $$;

CREATE PROCEDURE come_in(who int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE doctor SET on_call = true WHERE id = who;
END $$;

-- A patient gets a bed.
CREATE PROCEDURE admit(who int, place int) LANGUAGE plpgsql AS $$
DECLARE
  taken int;
BEGIN
  SELECT beds INTO taken FROM ward WHERE id = place;
  UPDATE ward SET beds = taken + 1 WHERE id = place;
  INSERT INTO patient VALUES (who, place);
END $$;
