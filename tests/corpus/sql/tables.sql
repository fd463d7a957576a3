-- Every kind of constraint, of columns and of tables.
BEGIN;
CREATE TABLE warehouse (
  w_id int PRIMARY KEY,
  w_name varchar(10) NOT NULL DEFAULT 'none',
  w_tax numeric(4,4) CHECK (w_tax >= 0 AND w_tax < 1),
  w_open boolean DEFAULT true,
  w_since date DEFAULT '2024-02-29',
  w_seen timestamp DEFAULT TIMESTAMP '2024-01-31 10:30',
  w_floor int DEFAULT -1,
  w_big bigint DEFAULT 5000000000
);
CREATE TABLE district (
  d_w_id int,
  d_id int,
  d_name text UNIQUE,
  PRIMARY KEY (d_w_id, d_id),
  CONSTRAINT in_warehouse FOREIGN KEY (d_w_id) REFERENCES warehouse (w_id) ON DELETE RESTRICT,
  CONSTRAINT small CHECK (d_id BETWEEN 1 AND 10)
);
CREATE INDEX by_name ON district (d_name);
CREATE UNIQUE INDEX by_both ON district (d_name, d_id);
COMMENT ON TABLE district IS 'ten a warehouse';
COMMIT;
