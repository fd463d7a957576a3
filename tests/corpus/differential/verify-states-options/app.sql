CREATE TABLE t (k int PRIMARY KEY, a int, b int NOT NULL UNIQUE CHECK (a + b >= 0));
CREATE TABLE "W 2" (k int, "L" int, a int, PRIMARY KEY (k, "L"));
