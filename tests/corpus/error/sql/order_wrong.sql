CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int, b text) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT id INTO n FROM t ORDER BY 2;
  SELECT DISTINCT id INTO n FROM t ORDER BY name;
  SELECT id INTO n FROM t LIMIT name;
  SELECT id INTO n FROM t ORDER BY id USING >;
END $$;
