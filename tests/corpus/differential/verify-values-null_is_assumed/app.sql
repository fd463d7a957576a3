CREATE TABLE t (k int PRIMARY KEY, a int, b int);
CREATE TABLE "W 2" (k int, "L" int, a int, PRIMARY KEY (k, "L"));
