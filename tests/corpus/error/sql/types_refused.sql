CREATE TABLE t (id int PRIMARY KEY, c char(3), d double precision, e smallint, f timestamptz, g json, h int[]);
