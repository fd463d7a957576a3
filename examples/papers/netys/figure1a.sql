-- SPDX-License-Identifier: MIT
-- Figure 1(a) of Kulahcioglu Ozkan, NETYS 2020: each of two transactions takes 100 from an
-- account of its own, if both accounts together hold more.

CREATE TABLE accounts (
  name   text PRIMARY KEY,
  amount int NOT NULL
);

CREATE PROCEDURE t1() LANGUAGE plpgsql AS $$
DECLARE
  x int;
  y int;
BEGIN
  SELECT amount INTO x FROM accounts WHERE name = 'x';
  SELECT amount INTO y FROM accounts WHERE name = 'y';
  IF x + y > 100 THEN
    UPDATE accounts SET amount = x - 100 WHERE name = 'x';
  END IF;
END $$;

CREATE PROCEDURE t2() LANGUAGE plpgsql AS $$
DECLARE
  x int;
  y int;
BEGIN
  SELECT amount INTO x FROM accounts WHERE name = 'x';
  SELECT amount INTO y FROM accounts WHERE name = 'y';
  IF x + y > 100 THEN
    UPDATE accounts SET amount = y - 100 WHERE name = 'y';
  END IF;
END $$;
