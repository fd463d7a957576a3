-- char(3) keeps no blanks: 'a ' and 'a' are one key.
-- run: isomer audit --level SI FOLDER/blanks.sql
-- status: 1
-- says: write skew: left_one and right_one        (confirmed)
CREATE TABLE t (id char(3) PRIMARY KEY, n int NOT NULL);
CREATE PROCEDURE left_one(x text) LANGUAGE plpgsql AS $$
DECLARE v int; c char(3);
BEGIN
  IF x <> 'a ' THEN RETURN; END IF;
  c := x;
  SELECT n INTO v FROM t WHERE id = c;
  UPDATE t SET n = v + 1 WHERE id = 'b';
END $$;
CREATE PROCEDURE right_one(x text) LANGUAGE plpgsql AS $$
DECLARE v int;
BEGIN
  IF x <> 'b ' THEN RETURN; END IF;
  SELECT n INTO v FROM t WHERE id = x::char(3);
  UPDATE t SET n = v + 1 WHERE id = 'a';
END $$;
