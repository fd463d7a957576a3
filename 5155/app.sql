CREATE TABLE t (id int PRIMARY KEY, v int CHECK (v < 7), u int UNIQUE, w varchar(9), b boolean NOT NULL DEFAULT false);
CREATE TABLE g (id int PRIMARY KEY, n int);
CREATE TABLE c (id int PRIMARY KEY, pid int DEFAULT 2 REFERENCES t ON DELETE NO ACTION ON UPDATE NO ACTION, w int);
CREATE TABLE h (j int, k int, tu int REFERENCES t (u) ON DELETE CASCADE, PRIMARY KEY (j, k));
CREATE PROCEDURE p00() LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN
  INSERT INTO t VALUES (1, 1, 1, 'Bob', true) ON CONFLICT DO NOTHING;
END $$;
CREATE PROCEDURE p10() LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN
  IF x > 0 THEN SELECT min(n) INTO x FROM g GROUP BY id HAVING count(*) > 0 AND id = 1; END IF;
END $$;
CREATE PROCEDURE p11() LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN
  SELECT t.v + length(t.w) INTO x FROM t LEFT JOIN c ON c.pid = t.id WHERE t.id <> 1;
END $$;
