CREATE TABLE t (id int PRIMARY KEY); -- café
