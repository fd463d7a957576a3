CREATE TABLE t (id int PRIMARY KEY, v int[], c char(4), s text);
CREATE FUNCTION f(v int[], s text[], n int) RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE
  m int[][];
  l varchar(3)[];
  x int;
BEGIN
  v := ARRAY[1, 'b'];
  v := '{1,b}';
  v := '{1,2';
  v := '{{1},{2}}';
  v := ARRAY[ARRAY[1]];
  v := ARRAY[];
  v := s;
  n := v;
  n := v[1][2];
  n := n[1];
  n := v[s];
  v[1] := 3;
  v := v || 'a'::text;
  RETURN v;
END $$;
