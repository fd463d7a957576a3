-- SPDX-License-Identifier: MIT
-- The sample rule of Nagar and Jagannathan, CONCUR 2018, section 4.3, says that SELECT MAX
-- depends on an UPDATE only if that writes a larger number.  An UPDATE that lowers the largest
-- number matters as much.
-- What can go wrong under snapshot isolation: each of the two lamps may be switched off if
-- the other is on, and both are.

CREATE TABLE hall (id int PRIMARY KEY, light int NOT NULL);
CREATE TABLE yard (id int PRIMARY KEY, light int NOT NULL);

CREATE PROCEDURE darken_hall(lamp int) LANGUAGE plpgsql AS $$
DECLARE
  brightest int;
BEGIN
  SELECT max(light) INTO brightest FROM yard;
  IF brightest > 0 THEN
    UPDATE hall SET light = 0 WHERE id = lamp;
  END IF;
END $$;

CREATE PROCEDURE darken_yard(lamp int) LANGUAGE plpgsql AS $$
DECLARE
  brightest int;
BEGIN
  SELECT max(light) INTO brightest FROM hall;
  IF brightest > 0 THEN
    UPDATE yard SET light = 0 WHERE id = lamp;
  END IF;
END $$;
