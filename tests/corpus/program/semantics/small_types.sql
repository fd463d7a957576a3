-- smallint, char(n), RIGHT JOIN, CASE of a subquery.
CREATE TABLE t (id smallint PRIMARY KEY, code char(3) NOT NULL, flag char, n smallint DEFAULT 7);
CREATE TABLE s (code char(5) PRIMARY KEY, t_id int);
CREATE FUNCTION add(i int, c text, f text, x int) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO t VALUES (i, c, f, x);
  RETURN (SELECT n FROM t WHERE id = i);
END $$;
CREATE FUNCTION find(c text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE k char(3) := c; out text := ''; r record;
BEGIN
  FOR r IN SELECT id, code, flag FROM t WHERE code = k ORDER BY id LOOP
    out := out || '[' || r.id || r.code || coalesce(r.flag, '-') || length(r.code) || ']';
  END LOOP;
  RETURN out;
END $$;
CREATE FUNCTION literal() RETURNS text LANGUAGE plpgsql AS $$
DECLARE a char(4) := 'ab'; b text := 'ab  '; c varchar(4) := 'ab  ';
BEGIN
  RETURN (a = 'ab') || ' ' || (a = 'ab   ') || ' ' || (a = b) || ' ' || (a = c) || ' ' || (a || 'x') || ' ' || (a IN ('x', 'ab ')) || ' ' ||
         (a < 'abc') || ' ' || coalesce(a, 'q ') || '|' || (a || a) || ' ' || upper(a) || ' ' || (a::text = 'ab') || ' ' || (CASE a WHEN 'ab ' THEN 1 ELSE 2 END);
END $$;
CREATE FUNCTION sums() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT sum(n) || ' ' || count(*) || ' ' || max(n) || ' ' || min(code) || ' ' || round(avg(n), 2) FROM t);
END $$;
CREATE FUNCTION arithmetic(a int, b int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE x smallint := a; y smallint := b; z int;
BEGIN
  z := x * y;
  RETURN z;
END $$;
CREATE FUNCTION mixed(a int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE x smallint := a;
BEGIN
  RETURN x + 100000 + x::bigint + (x / 2) + (date '2024-01-10' - x - date '2024-01-01');
END $$;
CREATE FUNCTION attach(c text, i int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE out text;
BEGIN
  INSERT INTO s VALUES (c, i) ON CONFLICT (code) DO UPDATE SET t_id = excluded.t_id RETURNING code || t_id INTO out;
  RETURN out;
END $$;
CREATE FUNCTION right_join() RETURNS text LANGUAGE plpgsql AS $$
DECLARE out text := ''; r record;
BEGIN
  FOR r IN SELECT t.id, s.code FROM t RIGHT JOIN s ON t.id = s.t_id AND t.n > 1 WHERE s.code <> 'none' ORDER BY s.code LOOP
    out := out || coalesce(r.id::text, '-') || r.code || ';';
  END LOOP;
  RETURN out;
END $$;
CREATE FUNCTION case_query(i int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN CASE (SELECT n FROM t WHERE id = i) WHEN 7 THEN 'seven' WHEN 1 THEN 'one' ELSE 'other' END;
END $$;
-- call add(1, 'a', 'x', 7) => 7
-- call add(2, 'ab ', NULL, 1) => 1
-- call add(3, 'abc  ', 'yy', 2) => ERROR 22001 value too long for type character(1)
-- call add(3, 'abc  ', 'y ', 2) => 2
-- call add(4, 'abcd', 'y', 2) => ERROR 22001 value too long for type character(3)
-- call add(5, 'abc', 'y', 32767) => 32767
-- call add(6, 'abc', 'y', 32768) => ERROR 22003 smallint out of range
-- call add(70000, 'abc', 'y', 1) => ERROR 22003 smallint out of range
-- call add(1, 'abc', 'y', 1) => ERROR 23505 duplicate key value violates unique constraint "t_pkey"
-- call find('a') => [1ax1]
-- call find('ab') => [2ab-2]
-- call find('ab   ') => [2ab-2]
-- call find('abc') => [3abcy3][5abcy3]
-- call find('abcd') => ERROR 22001 value too long for type character(3)
-- call literal() => true true false true abx true true ab|abab AB true 1
-- call sums() => 32777 4 32767 a 8194.25
-- call arithmetic(100, 300) => 30000
-- call arithmetic(-128, 256) => -32768
-- call arithmetic(100, 400) => ERROR 22003 smallint out of range
-- call arithmetic(40000, 1) => ERROR 22003 smallint out of range
-- call mixed(5) => 100016
-- call attach('p', 1) => p1
-- call attach('p  ', 5) => p5
-- call attach('none', 1) => none1
-- call attach('q', 2) => q2
-- call attach('r', 9) => r9
-- call attach('toolong', 9) => ERROR 22001 value too long for type character(5)
-- call right_join() => 5p;-q;-r;
-- call case_query(1) => seven
-- call case_query(2) => one
-- call case_query(5) => other
-- call case_query(99) => other
-- eval 32767::smallint + 1::smallint => ERROR 22003 smallint out of range
-- eval (32767::smallint + 1) => 32768
-- eval 40000::smallint => ERROR 22003 smallint out of range
-- eval (-32768)::smallint => -32768
-- eval -(-32768)::smallint => ERROR 22003 smallint out of range
-- eval abs((-32768)::smallint) => ERROR 22003 smallint out of range
-- eval '12'::smallint * 2 => 24
-- eval 7::smallint / 2::smallint => 3
-- eval mod(7::smallint, 3) => 1
-- eval 2.5::smallint => 3
-- eval 'abc'::char(2) || '|' => ab|
-- eval 'a  '::char(3) || '|' => a|
-- eval 'a '::char(3) = 'a' => true
-- eval length('a  '::char(5)) => 1
-- eval 'abc'::char => a
-- eval greatest(1::smallint, 2) => 2
-- eval coalesce(NULL, 3::smallint) => 3
