-- Arrays: NULL arrays, NULL elements and empty arrays; what queries give; text.
CREATE TABLE seat (id int PRIMARY KEY, room int NOT NULL, taken text);
CREATE FUNCTION fill() RETURNS int[] LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO seat VALUES (1, 7, NULL), (2, 7, 'ann'), (3, 8, 'b c'), (4, 9, NULL);
  RETURN (SELECT array_agg(id ORDER BY id) FROM seat);
END $$;
CREATE FUNCTION taken_in(room_of int) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  v text[];
BEGIN
  SELECT array_agg(taken ORDER BY id) INTO v FROM seat WHERE room = room_of;
  RETURN v;
END $$;
CREATE FUNCTION listed(room_of int) RETURNS text[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN ARRAY(SELECT taken FROM seat WHERE room = room_of ORDER BY id DESC);
END $$;
CREATE FUNCTION total(v int[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  x   int;
  sum int := 0;
  was boolean;
BEGIN
  FOREACH x IN ARRAY v LOOP
    CONTINUE WHEN x IS NULL;
    EXIT WHEN x < 0;
    sum := sum + x;
  END LOOP;
  was := FOUND;
  RETURN concat(sum, was, x);
END $$;
CREATE FUNCTION free_ones(few int[]) RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE
  got int[];
  one int;
BEGIN
  UPDATE seat SET taken = 'x' WHERE id = ANY (few) AND taken IS NULL;
  IF NOT FOUND THEN
    RETURN got;
  END IF;
  SELECT array_agg(id ORDER BY id DESC) INTO got FROM seat WHERE taken = 'x';
  FOREACH one IN ARRAY got LOOP
    UPDATE seat SET taken = NULL WHERE id = one;
  END LOOP;
  RETURN got || one;
END $$;
CREATE FUNCTION rooms(few int[]) RETURNS int[] LANGUAGE sql AS $$
  SELECT array_agg(DISTINCT room ORDER BY room DESC) FROM seat WHERE id = ANY (few);
$$;
CREATE FUNCTION small(v smallint[]) RETURNS smallint[] LANGUAGE plpgsql AS $$
BEGIN
  RETURN v || 40000;
END $$;
CREATE FUNCTION first_of(v int[]) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  w int[] := v;
  n int;
BEGIN
  w := array_append(w, 5);
  n := w[1];
  w := ARRAY[n, w[2]];
  RETURN w[1] * 10 + coalesce(w[2], 0);
END $$;

-- call fill() => {1,2,3,4}
-- call taken_in(7) => {NULL,ann}
-- call taken_in(8) => {"b c"}
-- call taken_in(5) => NULL
-- call listed(7) => {ann,NULL}
-- call listed(5) => {}
-- call total('{1,2,3}') => 6t3
-- call total('{1,NULL,3}') => 4t3
-- call total('{1,-1,3}') => 1t-1
-- call total('{}') => 0f
-- call total('{NULL}') => 0t
-- call total(NULL) => ERROR 22004 FOREACH expression must not be null
-- call free_ones('{1,2,4}') => {4,1,1}
-- call free_ones('{2,3}') => NULL
-- call free_ones('{}') => NULL
-- call free_ones(NULL) => NULL
-- call free_ones('{NULL,4}') => {4,4}
-- call rooms('{1,2,4,9}') => {9,7}
-- call rooms('{}') => NULL
-- call small('{1}') => ERROR 22003 smallint out of range
-- call first_of('{}') => 50
-- call first_of('{3}') => 35
-- call first_of(NULL) => 50

-- eval 1 = ANY ('{1,2}'::int[]) => true
-- eval 3 = ANY ('{1,2}'::int[]) => false
-- eval 3 = ANY ('{1,NULL}'::int[]) => NULL
-- eval 1 = ANY ('{1,NULL}'::int[]) => true
-- eval NULL::int = ANY ('{1}'::int[]) => NULL
-- eval NULL::int = ANY ('{}'::int[]) => false
-- eval NULL::int <> ALL ('{}'::int[]) => true
-- eval 1 = ANY (NULL::int[]) => NULL
-- eval 1 <> ALL ('{2,NULL}'::int[]) => NULL
-- eval 1 <> ALL ('{1,NULL}'::int[]) => false
-- eval 5 > ALL ('{1,2}'::int[]) => true
-- eval 5 < ANY ('{1,7}'::bigint[]) => true
-- eval 5 = ANY ('{5.0,2}'::numeric[]) => true
-- eval 5.0 = ANY ('{5,2}'::int[]) => true
-- eval 'a' = ANY ('{a,b}') => true
-- eval 'a' = ANY (ARRAY['b', NULL]) => NULL
-- eval DATE '2024-01-01' = ANY (ARRAY[TIMESTAMP '2024-01-01 00:00:00']) => true
-- eval 1 <> ALL (ARRAY[1, 2]) => false
-- eval 1 = ANY (ARRAY[1, NULL]) => true
-- eval 3 IN (SELECT unnest('{1,3}'::int[])) => true
-- eval 3 NOT IN (SELECT unnest('{1,NULL}'::int[])) => NULL
-- eval 3 IN (SELECT unnest(NULL::int[])) => false
-- eval NULL::int NOT IN (SELECT unnest('{}'::int[])) => true
-- eval '{a}b'::text::int[] => ERROR 22P02 malformed array literal: "{a}b"
-- eval '{a,1,'::text::int[] => ERROR 22P02 malformed array literal: "{a,1,"
-- eval 2 > ALL (SELECT id FROM seat WHERE id < 2) => true
-- eval 2 > ANY (SELECT id FROM seat WHERE id > 2) => false
-- eval 2 <> ALL (SELECT id FROM seat) => false
-- eval 2 < ALL (SELECT id FROM seat WHERE id > 9) => true
-- eval ARRAY(SELECT id FROM seat WHERE room = 7 ORDER BY id DESC) => {2,1}
-- eval ARRAY(SELECT id FROM seat WHERE room = 5) => {}
-- eval (SELECT array_agg(id) FROM seat WHERE room = 5) IS NULL => true
-- eval (SELECT array_agg(DISTINCT room) FROM seat) => {7,8,9}
-- eval (SELECT array_agg(DISTINCT taken ORDER BY taken DESC) FROM seat) => {NULL,"b c",ann}
-- eval (SELECT array_agg(taken ORDER BY taken NULLS FIRST, id DESC) FROM seat) => {NULL,NULL,ann,"b c"}
-- eval (SELECT count(*) FROM seat WHERE id = ANY (ARRAY(SELECT id FROM seat WHERE room = 7))) => 2
-- eval ('{1,2,3}'::int[])[2] => 2
-- eval ('{1,2,3}'::int[])[0] => NULL
-- eval ('{1,2,3}'::int[])[4] => NULL
-- eval ('{1,2,3}'::int[])[NULL] => NULL
-- eval (NULL::int[])[1] => NULL
-- eval (ARRAY[1, 2])[1] + 1 => 2
-- eval array_length('{1,2}'::int[], 1) => 2
-- eval array_length('{}'::int[], 1) => NULL
-- eval array_length('{1,2}'::int[], 2) => NULL
-- eval array_length('{1,2}'::int[], 0) => NULL
-- eval array_length(NULL::int[], 1) => NULL
-- eval array_lower('{4,5}'::int[], 1) => 1
-- eval array_lower('{}'::int[], 1) => NULL
-- eval array_upper('{4,5}'::int[], 1) => 2
-- eval cardinality('{}'::int[]) => 0
-- eval cardinality(NULL::int[]) => NULL
-- eval cardinality('{1,NULL}'::int[]) => 2
-- eval ARRAY[1, 2] || 3 => {1,2,3}
-- eval 0 || ARRAY[1, 2] => {0,1,2}
-- eval ARRAY[1, 2] || ARRAY[3] => {1,2,3}
-- eval ARRAY[1, 2] || '{3}' => {1,2,3}
-- eval ARRAY[1, 2] || NULL => {1,2}
-- eval ARRAY[1, 2] || NULL::int => {1,2,NULL}
-- eval NULL::int[] || 3 => {3}
-- eval NULL::int[] || NULL::int => {NULL}
-- eval NULL::int[] || NULL::int[] => NULL
-- eval NULL::int[] || '{}'::int[] => {}
-- eval ARRAY[1, 2] || 3.5 => {1,2,3.5}
-- eval ARRAY[1, 2] || 3::bigint => {1,2,3}
-- eval ARRAY[1.50, 2] || 3 => {1.50,2,3}
-- eval ARRAY['a'] || 'b'::text => {a,b}
-- eval array_append(NULL, 1) => {1}
-- eval array_append('{1}'::int[], NULL) => {1,NULL}
-- eval array_prepend(NULL, '{1}'::int[]) => {NULL,1}
-- eval array_cat('{1}'::int[], '{}') => {1}
-- eval array_remove('{1,2,1,NULL}'::int[], 1) => {2,NULL}
-- eval array_remove('{1,NULL}'::int[], NULL) => {1}
-- eval array_remove(NULL::int[], 1) => NULL
-- eval array_position('{1,2,1}'::int[], 1) => 1
-- eval array_position('{1,2}'::int[], 3) => NULL
-- eval array_position('{1,NULL}'::int[], NULL) => 2
-- eval ARRAY[1, 2] = ARRAY[1, 2] => true
-- eval ARRAY[1, 2] = ARRAY[2, 1] => false
-- eval ARRAY[1, NULL] = ARRAY[1, NULL] => true
-- eval ARRAY[1, NULL] = ARRAY[1, 2] => false
-- eval ARRAY[1] <> '{}' => true
-- eval NULL::int[] = '{}' => NULL
-- eval NULL::int[] IS NOT DISTINCT FROM NULL => true
-- eval ARRAY[1.0] = ARRAY[1.00] => true
-- eval ARRAY[1, 2] @> ARRAY[2] => true
-- eval ARRAY[1, NULL] @> ARRAY[NULL]::int[] => false
-- eval ARRAY[1, 2] @> '{}' => true
-- eval ARRAY[2] <@ ARRAY[1, 2] => true
-- eval ARRAY[1, 2] && ARRAY[2, 3] => true
-- eval ARRAY[1, 2] && '{}' => false
-- eval ARRAY[NULL]::int[] && ARRAY[NULL]::int[] => false
-- eval coalesce(NULL::int[], '{7}') => {7}
-- eval nullif(ARRAY[1], '{1}') => NULL
-- eval CASE WHEN true THEN ARRAY[1] ELSE '{2,3}' END => {1}
-- eval ARRAY[]::int[] => {}
-- eval ARRAY['1', '2']::int[] => {1,2}
-- eval ARRAY[1, 2.5] => {1,2.5}
-- eval ARRAY[true, NULL, false] => {t,NULL,f}
-- eval ARRAY[DATE '2024-01-31'] => {2024-01-31}
-- eval ARRAY[TIMESTAMP '2024-01-31 10:00:00'] => {"2024-01-31 10:00:00"}
-- eval ARRAY['a b', '', 'NULL', 'a"b', 'c\d', '{', 'x,y', NULL, 'plain'] => {"a b","","NULL","a\"b","c\\d","{","x,y",NULL,plain}
-- eval '{ 1 , NULL, "3" }'::int[] => {1,NULL,3}
-- eval '{"a,b", c d , "", "\"", \{ , null}'::text[] => {"a,b","c d","","\"","{",NULL}
-- eval '{1,2'::text::int[] => ERROR 22P02 malformed array literal: "{1,2"
-- eval '{1,,2}'::text::int[] => ERROR 22P02 malformed array literal: "{1,,2}"
-- eval '{a}'::text::int[] => ERROR 22P02 invalid input syntax for type integer: "a"
-- eval '{99999999999}'::text::int[] => ERROR 22003 value "99999999999" is out of range for type integer
-- eval ''::text::int[] => ERROR 22P02 malformed array literal: ""
-- eval ARRAY[1, 2]::bigint[] => {1,2}
-- eval ARRAY[1.5, 2.4]::int[] => {2,2}
-- eval ARRAY[1, 2]::text[] => {1,2}
-- eval '[' || ARRAY[1, 2]::text || ']' => [{1,2}]
-- eval concat(ARRAY[1, 2], 'x') => {1,2}x
-- eval (SELECT count(DISTINCT v.room) FROM seat v WHERE ARRAY[v.room] = '{7}') => 1
-- eval 1 = ANY (ARRAY(SELECT id FROM seat)) AND 9 <> ALL (ARRAY(SELECT id FROM seat)) => true
