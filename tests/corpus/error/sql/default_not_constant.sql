CREATE TABLE t (id int PRIMARY KEY DEFAULT 1 + 1, at timestamp DEFAULT now());
