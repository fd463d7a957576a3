CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT nmae INTO n FROM t;
  SELECT t.amont INTO n FROM t;
  SELECT u.id INTO n FROM t;
  UPDATE tt SET id = 1;
  UPDATE t SET ammount = 1;
  INSERT INTO t (id, nam) VALUES (1, 2);
  m := 3;
  n := a + c;
END $$;
