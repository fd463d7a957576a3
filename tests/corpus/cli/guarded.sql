CREATE TABLE account (id int PRIMARY KEY, owner text UNIQUE, balance int NOT NULL);
CREATE TABLE entry (id int PRIMARY KEY, account int REFERENCES account ON DELETE CASCADE);
CREATE PROCEDURE withdraw(acc int, amount int) LANGUAGE plpgsql AS $$
DECLARE
  rest int;
BEGIN
  SELECT balance INTO rest FROM account WHERE id = acc FOR UPDATE;
  IF rest >= amount THEN
    UPDATE account SET balance = rest - amount WHERE id = acc;
  END IF;
END $$;
CREATE PROCEDURE take_any(amount int) LANGUAGE plpgsql AS $$
DECLARE
  acc int;
BEGIN
  SELECT id INTO acc FROM account ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
  BEGIN
    UPDATE account SET balance = balance - amount WHERE id = acc;
  EXCEPTION WHEN check_violation THEN
    PERFORM pg_advisory_lock(acc);
  END;
END $$;
CREATE PROCEDURE close(acc int) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM account WHERE id = acc;
END $$;
