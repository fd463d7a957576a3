-- Two people may take money from the accounts of one owner; what is left must not be negative.
CREATE TABLE account (id int PRIMARY KEY, owner text NOT NULL, balance int NOT NULL);

CREATE PROCEDURE withdraw(acc int, amount int) LANGUAGE plpgsql AS $$
DECLARE
  total int;
BEGIN
  SELECT sum(a.balance) INTO total
    FROM account a JOIN account mine ON mine.owner = a.owner
    WHERE mine.id = acc;
  IF total >= amount THEN
    UPDATE account SET balance = balance - amount WHERE id = acc;
  END IF;
END $$;
