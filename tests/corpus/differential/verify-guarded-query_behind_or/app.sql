CREATE TABLE t (k int PRIMARY KEY, a int, b int NOT NULL UNIQUE);
CREATE TABLE u (k int PRIMARY KEY, a int, of_t int);
CREATE TABLE "W 2" (k int, "L" int, a int, PRIMARY KEY (k, "L"));
CREATE PROCEDURE f0(p int, q int) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO u VALUES (1, q, (SELECT min(3) FROM t x4 WHERE q IS DISTINCT FROM 1));
END $$;
