CREATE TABLE t (id int PRIMARY KEY, n int CHECK (m > 0), CHECK (n));
