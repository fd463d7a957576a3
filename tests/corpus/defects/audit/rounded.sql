-- numeric(4,1) rounds: 0.05 becomes 0.1.
-- run: isomer audit --level SI FOLDER/rounded.sql
-- status: 1
-- says: write skew: left_one and right_one        (confirmed)
CREATE TABLE t (k numeric(4,1) PRIMARY KEY, n int NOT NULL);
CREATE PROCEDURE left_one() LANGUAGE plpgsql AS $$
DECLARE v int; m numeric; q numeric(4,1);
BEGIN
  m := 0.05;
  q := m;
  SELECT n INTO v FROM t WHERE k = q;
  UPDATE t SET n = v + 1 WHERE k = 0.2;
END $$;
CREATE PROCEDURE right_one() LANGUAGE plpgsql AS $$
DECLARE v int; m numeric; q numeric(4,1);
BEGIN
  m := 0.15;
  q := m;
  SELECT n INTO v FROM t WHERE k = q;
  UPDATE t SET n = v + 1 WHERE k = 0.1;
END $$;
