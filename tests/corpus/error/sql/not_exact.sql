CREATE TABLE t (id int PRIMARY KEY, n numeric, c char(4), d char(6), s text);
CREATE FUNCTION powers(a numeric, b int) RETURNS numeric LANGUAGE plpgsql AS $$
BEGIN
  a := power(2::numeric, 0.5);
  a := 2.0 ^ a;
  a := power(a, b / 2.0);
  a := power(a, '0.5');
  a := power(a, b) + power(a, -2) + power(a, 3.0) + a ^ b;
  RETURN a;
END $$;
CREATE FUNCTION blanks(p char(4)) RETURNS text LANGUAGE plpgsql AS $$
DECLARE x text;
BEGIN
  SELECT concat(coalesce(c, d), '|') INTO x FROM t;
  SELECT coalesce(c, 'x') LIKE 'x ' INTO x FROM t;
  x := concat(p, '|');
  SELECT concat(c, coalesce(s, c), c::text, coalesce(c, d)::char(5)) INTO x FROM t;
  RETURN x;
END $$;
CREATE FUNCTION raises() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE divide_by_zero;
  RAISE SQLSTATE '123';
  RAISE EXCEPTION;
  RAISE 'x' USING ERRCODE = 'a' || 'b', COLOUR = 'red';
END $$;
