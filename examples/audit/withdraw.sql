-- SPDX-License-Identifier: MIT
-- One account, one transaction: the banking example of Nagar and Jagannathan, "Automated
-- Detection of Serializability Violations under Weak Consistency", CONCUR 2018, section 2.
-- What can go wrong: two withdrawals see the same balance, and one is lost.  Parallel
-- snapshot isolation prevents it, for any number of withdrawals.

CREATE TABLE account (
  id      int PRIMARY KEY,
  balance int NOT NULL
);

CREATE PROCEDURE withdraw(acc int, amount int) LANGUAGE plpgsql AS $$
DECLARE
  available int;
BEGIN
  SELECT balance INTO available FROM account WHERE id = acc;
  IF available > amount THEN
    UPDATE account SET balance = available - amount WHERE id = acc;
  END IF;
END $$;
