CREATE TABLE t (id int PRIMARY KEY, id text);
CREATE TABLE t (id int PRIMARY KEY);
CREATE TABLE u (a int PRIMARY KEY, b int, PRIMARY KEY (a, c));
