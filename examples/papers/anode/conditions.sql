-- SPDX-License-Identifier: MIT
-- Algorithm 1 of Nagar and Jagannathan, CONCUR 2018, and its figures 4, 7 and 8: a dependency
-- needs that both statements run (the conditions of the IFs around them) and a record that
-- both WHERE clauses select.
-- What can go wrong: two deposits lose an update, and so do two fees; a deposit and a fee never
-- meet, as one is for accounts below 10 and the other for those from 10 on.

CREATE TABLE account (
  id      int PRIMARY KEY,
  balance int NOT NULL
);

CREATE PROCEDURE deposit(acc int, amount int) LANGUAGE plpgsql AS $$
DECLARE
  old int;
BEGIN
  IF acc < 10 THEN
    SELECT balance INTO old FROM account WHERE id = acc;
    UPDATE account SET balance = old + amount WHERE id = acc;
  END IF;
END $$;

CREATE PROCEDURE fee(acc int) LANGUAGE plpgsql AS $$
DECLARE
  old int;
BEGIN
  SELECT balance INTO old FROM account WHERE id = acc AND id >= 10;
  IF old > 0 THEN
    UPDATE account SET balance = old - 1 WHERE id = acc;
  END IF;
END $$;
