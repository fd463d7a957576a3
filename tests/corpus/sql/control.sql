-- Control flow, blocks and scopes.
CREATE TABLE cell (id int PRIMARY KEY, v int);

CREATE PROCEDURE control(n int, INOUT result bigint) LANGUAGE plpgsql AS $$
<<top>>
DECLARE
  i int := 0;
  k CONSTANT int DEFAULT 3;
  total numeric(10,2) := 1.5;
  v cell.v%TYPE;
  w top.total%TYPE;
BEGIN
  IF n < 0 THEN
    RAISE EXCEPTION 'negative: %, 100%%', n USING ERRCODE = '22003', HINT = 'be positive';
  ELSIF n = 0 THEN
    RETURN;
  ELSE
    RAISE NOTICE 'fine %', n;
  END IF;
  CASE n
    WHEN 1, 2 THEN result := 1;
    WHEN k THEN NULL;
  END CASE;
  CASE WHEN n > 5 THEN result := 2; ELSE result := 3; END CASE;
  LOOP
    i := i + 1;
    EXIT WHEN i > 10;
    CONTINUE WHEN i % 2 = 0;
  END LOOP;
  <<rows>>
  FOR v IN SELECT cell.v FROM cell WHERE id <= n ORDER BY id LOOP
    <<steps>>
    FOR j IN 1..n BY 2 LOOP
      EXIT rows WHEN j > v;
      CONTINUE steps WHEN j = 3;
    END LOOP steps;
  END LOOP;
  FOR j IN REVERSE n..1 LOOP
    DECLARE
      i int;
      inner_total numeric := total;
    BEGIN
      i := j + top.i + control.n;
      inner_total = inner_total + i;
      total := inner_total;
    END;
  END LOOP;
  WHILE FOUND AND i > 0 LOOP
    i := i - 1;
  END LOOP;
  ASSERT i = 0, 'counted down';
  RAISE EXCEPTION USING MESSAGE = 'end ' || i;
END top $$;
