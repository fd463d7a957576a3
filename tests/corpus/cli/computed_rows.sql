CREATE TABLE account (id int PRIMARY KEY, owner text, balance int);
CREATE PROCEDURE share(holder text) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE account SET balance = x.mean
    FROM (SELECT owner, sum(balance) / count(*) AS mean FROM account GROUP BY owner) x
    WHERE x.owner = account.owner AND account.owner = holder;
END $$;
CREATE PROCEDURE settle(acc int) LANGUAGE plpgsql AS $$
BEGIN
  MERGE INTO account USING (VALUES (acc)) s (id) ON account.id = s.id
    WHEN MATCHED AND account.balance = 0 THEN DELETE
    WHEN MATCHED THEN UPDATE SET balance = account.balance - 10
    WHEN NOT MATCHED THEN INSERT VALUES (s.id, 'ann', 10);
END $$;
