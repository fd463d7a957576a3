CREATE TABLE account (id int PRIMARY KEY, owner text NOT NULL, balance int NOT NULL);
CREATE PROCEDURE withdraw(acc int, amount int) LANGUAGE plpgsql AS $$
DECLARE bal int;
BEGIN
  SELECT balance INTO bal FROM account WHERE id = acc;
  IF bal >= amount THEN
    UPDATE account SET balance = bal - amount WHERE id = acc;
  END IF;
END $$;
CREATE FUNCTION touch(acc int, at timestamp, by numeric) RETURNS void LANGUAGE sql AS $$
  UPDATE account SET balance = balance + by WHERE id = acc;
  SELECT at;
$$;
