-- Arrays: variables, parameters, what queries give, elements and loops.
CREATE TABLE seat (id int PRIMARY KEY, room int NOT NULL, taken text);

CREATE FUNCTION shown(many int[], names text[], one bigint) RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE
  a int[] := '{1,NULL,3}';
  b int[] := ARRAY[1, 2] || 3;
  c bigint[] := ARRAY[]::bigint[];
  d text[];
  x int;
BEGIN
  a := ARRAY(SELECT id FROM seat WHERE room = ANY (many) ORDER BY id DESC);
  SELECT array_agg(DISTINCT taken ORDER BY taken DESC), array_agg(id) INTO d, b FROM seat;
  a := a || b || a[array_length(a, 1)] || x;
  c := one || c;
  c := array_append(a, one);
  UPDATE seat SET taken = names[1] WHERE id <> ALL (a) AND taken = ANY ('{ann,"b c"}');
  DELETE FROM seat WHERE id = ANY (ARRAY[1, x]) OR id >= ALL (SELECT room FROM seat)
     OR room IN (SELECT unnest(many));
  FOREACH x IN ARRAY array_remove(a, 3) LOOP
    CONTINUE WHEN a @> ARRAY[x] OR a <@ b OR a && b OR a = '{}' OR array_lower(b, 1) IS NULL;
    EXIT WHEN cardinality(a) > array_position(a, x);
  END LOOP;
  d := a::text::text[];
  RETURN nullif(coalesce(a, b, '{}'), array_prepend(1, a));
END $$;

CREATE FUNCTION rooms(few int[]) RETURNS int[] LANGUAGE sql AS $$
  SELECT array_agg(room ORDER BY room) FROM seat WHERE id = ANY (few);
$$;
