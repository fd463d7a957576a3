CREATE TABLE account (id int PRIMARY KEY, owner text NOT NULL, balance int NOT NULL CHECK (balance >= 0));
CREATE PROCEDURE withdraw(acc int, amount int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account SET balance = balance - amount WHERE id = acc;
END $$;
