-- SPDX-License-Identifier: MIT
-- SmallBank: a checking and a savings account for each customer, six transactions.
--
-- Alomari, Cahill, Fekete and Roehm, "The Cost of Serializability on Platforms That Use
-- Snapshot Isolation", ICDE 2008, with the tables of OLTP-Bench.
-- What can go wrong: write_check looks at both accounts and writes one, transact_savings
-- writes the other; under SI the check is paid without penalty although the savings are
-- gone, and balance makes it visible (write skew and a read-only anomaly).  Below PSI
-- payments overwrite each other, and money appears or disappears.

CREATE TABLE accounts (
  custid bigint PRIMARY KEY,
  name   varchar(64) NOT NULL
);

CREATE TABLE savings (
  custid bigint PRIMARY KEY REFERENCES accounts (custid),
  bal    numeric(12, 2) NOT NULL
);

CREATE TABLE checking (
  custid bigint PRIMARY KEY REFERENCES accounts (custid),
  bal    numeric(12, 2) NOT NULL
);

-- The sum of both accounts.
CREATE FUNCTION balance(customer varchar) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  id    bigint;
  saved numeric(12, 2);
  spent numeric(12, 2);
BEGIN
  SELECT custid INTO STRICT id FROM accounts WHERE name = customer;
  SELECT bal INTO STRICT saved FROM savings WHERE custid = id;
  SELECT bal INTO STRICT spent FROM checking WHERE custid = id;
  RETURN saved + spent;
END $$;

CREATE PROCEDURE deposit_checking(customer varchar, amount numeric) LANGUAGE plpgsql AS $$
DECLARE
  id bigint;
BEGIN
  IF amount < 0 THEN
    RAISE EXCEPTION 'cannot deposit %', amount;
  END IF;
  SELECT custid INTO STRICT id FROM accounts WHERE name = customer;
  UPDATE checking SET bal = bal + amount WHERE custid = id;
END $$;

-- A deposit to the savings; a withdrawal if the amount is negative.
CREATE PROCEDURE transact_savings(customer varchar, amount numeric) LANGUAGE plpgsql AS $$
DECLARE
  id    bigint;
  saved numeric(12, 2);
BEGIN
  SELECT custid INTO STRICT id FROM accounts WHERE name = customer;
  SELECT bal INTO STRICT saved FROM savings WHERE custid = id;
  IF saved + amount < 0 THEN
    RAISE EXCEPTION 'customer % has only % in savings', customer, saved;
  END IF;
  UPDATE savings SET bal = saved + amount WHERE custid = id;
END $$;

-- Moves all that one customer has to another's checking account.
CREATE PROCEDURE amalgamate(giver bigint, taker bigint) LANGUAGE plpgsql AS $$
DECLARE
  saved numeric(12, 2);
  spent numeric(12, 2);
BEGIN
  SELECT bal INTO STRICT saved FROM savings WHERE custid = giver;
  SELECT bal INTO STRICT spent FROM checking WHERE custid = giver;
  UPDATE savings SET bal = 0 WHERE custid = giver;
  UPDATE checking SET bal = 0 WHERE custid = giver;
  UPDATE checking SET bal = bal + saved + spent WHERE custid = taker;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no customer %', taker;
  END IF;
END $$;

-- Pays a check; a customer who has too little in both accounts pays 1 more.
CREATE PROCEDURE write_check(customer varchar, amount numeric) LANGUAGE plpgsql AS $$
DECLARE
  id    bigint;
  saved numeric(12, 2);
  spent numeric(12, 2);
BEGIN
  SELECT custid INTO STRICT id FROM accounts WHERE name = customer;
  SELECT bal INTO STRICT saved FROM savings WHERE custid = id;
  SELECT bal INTO STRICT spent FROM checking WHERE custid = id;
  IF saved + spent < amount THEN
    UPDATE checking SET bal = bal - (amount + 1) WHERE custid = id;
  ELSE
    UPDATE checking SET bal = bal - amount WHERE custid = id;
  END IF;
END $$;

CREATE PROCEDURE send_payment(giver bigint, taker bigint, amount numeric) LANGUAGE plpgsql AS $$
DECLARE
  available numeric(12, 2);
BEGIN
  PERFORM 1 FROM accounts WHERE custid = taker;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no customer %', taker;
  END IF;
  SELECT bal INTO STRICT available FROM checking WHERE custid = giver;
  IF available < amount THEN
    RAISE EXCEPTION 'customer % has only % in checking', giver, available;
  END IF;
  UPDATE checking SET bal = bal - amount WHERE custid = giver;
  UPDATE checking SET bal = bal + amount WHERE custid = taker;
END $$;
