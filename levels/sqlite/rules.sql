-- SPDX-License-Identifier: MIT
-- The tables of the runs that show SQLite's rules, one run a file.

CREATE TABLE account (
  id      int PRIMARY KEY,
  owner   text NOT NULL,
  balance int NOT NULL
);

CREATE TABLE customer (
  id   int PRIMARY KEY,
  name text NOT NULL
);

CREATE TABLE purchase (
  id       int PRIMARY KEY,
  customer int NOT NULL REFERENCES customer
);
