CREATE TABLE t (id int PRIMARY KEY, a int);
CREATE FUNCTION one(x int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;
CREATE PROCEDURE act(x int, OUT y int) LANGUAGE plpgsql AS $$ BEGIN y := x; END $$;
CREATE FUNCTION pair(x int, OUT y int, OUT z int) LANGUAGE plpgsql AS $$ BEGIN y := x; z := x; END $$;
CREATE PROCEDURE p(a int) LANGUAGE plpgsql AS $$
DECLARE
  n int;
BEGIN
  CALL act(1);
  CALL act(1, 2);
  CALL act('x', n);
  CALL one(1);
  CALL nobody();
  PERFORM act(1);
  n := one();
  n := one(1, 2);
  n := one('x'::text);
  n := pair(1);
  n := CASE WHEN a > 1 THEN one(1) ELSE 2 END;
  n := coalesce(a, one(1));
  n := one(x => 1);
  n := one(1) + (SELECT max(t.a) FROM t);
  IF a > 1 AND one(1) = 1 THEN NULL; END IF;
  SELECT id INTO n FROM t WHERE t.a = one(1);
  UPDATE t SET a = one(1) WHERE id = 1;
  INSERT INTO t VALUES (1, one(1)), (2, 3);
  CALL p(1);
END $$;
