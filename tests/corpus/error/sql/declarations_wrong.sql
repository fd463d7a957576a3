CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p(a int) LANGUAGE plpgsql AS $$
DECLARE
  c CURSOR FOR SELECT 1;
  d ALIAS FOR $1;
  e int NOT NULL := 1;
  f t.nothing%TYPE;
  g u%ROWTYPE;
  h interval;
  h int;
  h text;
BEGIN
END $$;
