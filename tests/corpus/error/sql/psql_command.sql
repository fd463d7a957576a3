\set x 1
CREATE TABLE t (id int PRIMARY KEY);
