CREATE TABLE stock (id int PRIMARY KEY, n int, code int UNIQUE);
CREATE TABLE guard (id int PRIMARY KEY, n int);
CREATE TABLE parent (id int PRIMARY KEY);
CREATE TABLE child (id int PRIMARY KEY, parent_id int REFERENCES parent);
