CREATE TABLE stock (id int PRIMARY KEY, n int, code int UNIQUE);
CREATE TABLE guard (id int PRIMARY KEY, n int);
CREATE TABLE place (id int PRIMARY KEY);
CREATE TABLE shelf (id int PRIMARY KEY, place int REFERENCES place, n int);
CREATE TABLE seat (id int PRIMARY KEY, code int UNIQUE);
CREATE TABLE desk (id int PRIMARY KEY, code int NOT NULL UNIQUE);
CREATE TABLE parent (id int PRIMARY KEY, n int);
CREATE TABLE child (id int PRIMARY KEY, parent_id int REFERENCES parent);
CREATE TABLE dependent (id int PRIMARY KEY, parent_id int REFERENCES parent ON DELETE CASCADE);
