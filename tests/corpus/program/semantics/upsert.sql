-- ON CONFLICT, RETURNING, INSERT .. SELECT, STRICT and FOUND.
CREATE TABLE c (k text PRIMARY KEY, n int NOT NULL DEFAULT 0, u int UNIQUE);
CREATE FUNCTION bump(key text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE r int;
BEGIN
  INSERT INTO c (k, n) VALUES (key, 1) ON CONFLICT (k) DO UPDATE SET n = c.n + EXCLUDED.n RETURNING n INTO r;
  RETURN r;
END $$;
CREATE FUNCTION put(key text, x int) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO c VALUES (key, 0, x) ON CONFLICT DO NOTHING;
  RETURN FOUND;
END $$;
CREATE FUNCTION put_key(key text, x int) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO c VALUES (key, 0, x) ON CONFLICT (k) DO NOTHING;
  RETURN FOUND;
END $$;
CREATE FUNCTION raise_only(key text, x int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r text;
BEGIN
  INSERT INTO c VALUES (key, x) ON CONFLICT (k) DO UPDATE SET n = EXCLUDED.n WHERE c.n < EXCLUDED.n RETURNING k || n INTO r;
  RETURN COALESCE(r, 'none') || FOUND;
END $$;
CREATE PROCEDURE twice(key text) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO c (k, n) VALUES (key, 1), (key, 2) ON CONFLICT (k) DO UPDATE SET n = EXCLUDED.n;
END $$;
CREATE FUNCTION twice_nothing(key text) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO c (k, n) VALUES (key, 1), (key, 2) ON CONFLICT DO NOTHING;
  RETURN (SELECT n FROM c WHERE k = key);
END $$;
CREATE FUNCTION copy_all() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO c (k, n) SELECT k || '2', n + 100 FROM c WHERE length(k) = 1;
  RETURN (SELECT count(*) FROM c);
END $$;
CREATE FUNCTION exact(key text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE r int;
BEGIN
  SELECT n INTO STRICT r FROM c WHERE k LIKE key;
  RETURN r;
END $$;
CREATE FUNCTION first(key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE a text := 'old'; b int := 5;
BEGIN
  SELECT k, n INTO a, b FROM c WHERE k LIKE key ORDER BY k;
  RETURN COALESCE(a, 'none') || COALESCE(b, -1) || FOUND;
END $$;
CREATE FUNCTION take(key text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE a text; b int;
BEGIN
  DELETE FROM c WHERE k = key RETURNING k, n INTO a, b;
  RETURN COALESCE(a || b, 'none') || FOUND;
END $$;
CREATE FUNCTION many() RETURNS int LANGUAGE plpgsql AS $$
DECLARE b int;
BEGIN
  UPDATE c SET n = n + 1 RETURNING n INTO b;
  RETURN b;
END $$;
CREATE FUNCTION own() RETURNS text LANGUAGE plpgsql AS $$
DECLARE a int; b int; d int;
BEGIN
  INSERT INTO c (k, n) VALUES ('o', 1);
  SELECT n INTO a FROM c WHERE k = 'o';
  UPDATE c SET n = n + 10 WHERE k = 'o';
  SELECT sum(n) INTO b FROM c WHERE k = 'o' OR k = 'zzz';
  DELETE FROM c WHERE k = 'o';
  SELECT count(*) INTO d FROM c WHERE k = 'o';
  RETURN a || ',' || b || ',' || d;
END $$;
-- call bump('a') => 1
-- call bump('a') => 2
-- call bump('b') => 1
-- call put('a', 1) => f
-- call put('d', 1) => t
-- call put('e', 1) => f
-- call put_key('e', 1) => ERROR 23505 duplicate key value violates unique constraint "c_u_key"
-- call put_key('d', 2) => f
-- call raise_only('a', 1) => nonefalse
-- call raise_only('a', 9) => a9true
-- call raise_only('f', 3) => f3true
-- call twice('g') => ERROR 21000 ON CONFLICT DO UPDATE command cannot affect row a second time
-- call twice('a') => ERROR 21000 ON CONFLICT DO UPDATE command cannot affect row a second time
-- call twice_nothing('h') => 1
-- call copy_all() => 10
-- call copy_all() => ERROR 23505 duplicate key value violates unique constraint "c_pkey"
-- call exact('a') => 9
-- call exact('a%') => ERROR P0003 query returned more than one row
-- call exact('zz') => ERROR P0002 query returned no rows
-- call first('a%') => a9true
-- call first('zz') => none-1false
-- call take('b2') => b2101true
-- call take('b2') => nonefalse
-- call many() => ERROR P0003 query returned more than one row
-- call own() => 1,11,0
-- eval (SELECT sum(n) FROM c) => 427
