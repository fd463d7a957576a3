CREATE TABLE t (id int PRIMARY KEY, other int REFERENCES u (id));
