CREATE TABLE stock (id int PRIMARY KEY, n int, code int UNIQUE);
CREATE TABLE guard (id int PRIMARY KEY, n int);
CREATE TABLE parent (id int PRIMARY KEY, n int, label int UNIQUE);
CREATE TABLE child (id int PRIMARY KEY, parent_id int REFERENCES parent, n int);
CREATE TABLE dependent (id int PRIMARY KEY, n int, parent_id int REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE);
CREATE TABLE friend (id int PRIMARY KEY, n int, parent_id int REFERENCES parent ON DELETE SET NULL);
CREATE TABLE guest (id int PRIMARY KEY, parent_id int DEFAULT 2 REFERENCES parent ON DELETE SET DEFAULT);
