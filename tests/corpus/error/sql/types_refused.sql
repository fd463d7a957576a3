CREATE TABLE t (id int PRIMARY KEY, c char(0), d double precision, e money, f timestamptz, g json, h int[]);
