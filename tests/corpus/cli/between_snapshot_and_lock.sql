-- SPDX-License-Identifier: MIT
CREATE TABLE stock (
  id     int PRIMARY KEY,
  amount int NOT NULL
);

CREATE TABLE shop (
  id      int PRIMARY KEY,
  is_open int NOT NULL
);

CREATE PROCEDURE count_twice() LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock SET amount = amount * 2 + 10 + 1000 * (SELECT is_open FROM shop);
END $$;

CREATE PROCEDURE open() LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shop SET is_open = 1;
END $$;

CREATE PROCEDURE deliver() LANGUAGE plpgsql AS $$
BEGIN
  UPDATE stock SET amount = amount + 100 WHERE (SELECT is_open FROM shop) = 1;
END $$;
