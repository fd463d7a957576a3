-- SPDX-License-Identifier: MIT
-- A bank that lets a customer overdraw one account as long as the others cover it.
--
-- After "SimpleBank", Figure 1(a) of Kulahcioglu Ozkan, NETYS 2020.
-- What can go wrong: two withdrawals by one owner from different accounts each see the
-- old total, and both pay out.  They write different rows, so SI lets both commit (write
-- skew); SER does not.  Two withdrawals from one account lose an update below PSI.

CREATE TABLE account (
  id      int PRIMARY KEY,
  owner   text NOT NULL,
  balance int NOT NULL
);

CREATE PROCEDURE withdraw(account_id int, amount int) LANGUAGE plpgsql AS $$
DECLARE
  holder text;
  total  bigint;
BEGIN
  SELECT owner INTO STRICT holder FROM account WHERE id = account_id;
  SELECT sum(balance) INTO total FROM account WHERE owner = holder;
  IF total >= amount THEN
    UPDATE account SET balance = balance - amount WHERE id = account_id;
  END IF;
END $$;

CREATE PROCEDURE deposit(account_id int, amount int) LANGUAGE plpgsql AS $$
BEGIN
  IF amount <= 0 THEN
    RAISE EXCEPTION 'cannot deposit %', amount;
  END IF;
  UPDATE account SET balance = balance + amount WHERE id = account_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no account %', account_id;
  END IF;
END $$;

CREATE FUNCTION total_balance(holder text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
BEGIN
  SELECT coalesce(sum(balance), 0) INTO total FROM account WHERE owner = holder;
  RETURN total;
END $$;
