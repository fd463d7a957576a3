CREATE TABLE t (id int PRIMARY KEY, a smallint DEFAULT 3, s char(3), UNIQUE (a));
CREATE FUNCTION f(x int, OUT y int) LANGUAGE plpgsql AS $$ BEGIN y := x; END $$;
CREATE PROCEDURE p(x int, INOUT y int) LANGUAGE plpgsql AS $$
DECLARE r record; n int := f(x);
BEGIN
  <<l>> FOR r IN SELECT a.id, b.s FROM t a RIGHT JOIN t b ON a.id = b.a ORDER BY 1 DESC LIMIT 2 LOOP
    UPDATE t SET a = z.id FROM t z WHERE z.a = t.id AND t.id = r.id; GET DIAGNOSTICS n = ROW_COUNT;
    CONTINUE l WHEN f(n) > 3;
    DELETE FROM t USING t q WHERE t.id = q.a RETURNING t.id INTO y;
  END LOOP;
  WHILE f(n) < 3 LOOP n := n + 1; END LOOP;
  INSERT INTO t VALUES (f(n), 4, 'x') ON CONFLICT (id) DO UPDATE SET s = excluded.s WHERE t.a < 4;
  IF NOT FOUND THEN RAISE EXCEPTION 'none %', n; ELSIF f(1) = 2 THEN RETURN; END IF;
END $$;
CREATE PROCEDURE q(z int) LANGUAGE plpgsql AS $$ DECLARE y int := 1; BEGIN CALL p(z, y); PERFORM f(y); ASSERT FOUND; END $$;
