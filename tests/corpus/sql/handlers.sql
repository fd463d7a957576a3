CREATE TABLE account (id int PRIMARY KEY, owner text, balance int NOT NULL);
CREATE PROCEDURE insert_or_add(a int, amount int) LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    UPDATE account SET balance = balance + amount WHERE id = a;
    EXIT WHEN FOUND;
    BEGIN
      INSERT INTO account VALUES (a, NULL, amount);
      EXIT;
    EXCEPTION WHEN unique_violation THEN
      NULL;
    END;
  END LOOP;
END $$;
CREATE FUNCTION told(a int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  total int := 0;
  words text;
BEGIN
  <<outermost>>
  FOR i IN 1 .. 3 LOOP
    DECLARE
      part int := a / i;
    BEGIN
      total := total + part;
      BEGIN
        UPDATE account SET balance = part / (a - i) WHERE id = i;
        CONTINUE outermost WHEN total > 10;
      EXCEPTION
        WHEN division_by_zero OR SQLSTATE '22003' OR "integrity_constraint_violation" THEN
          words := SQLSTATE || ': ' || SQLERRM;
          RAISE;
        WHEN null_value_not_allowed OR others THEN
          EXIT;
      END;
    EXCEPTION
      WHEN query_canceled OR OTHERS THEN
        BEGIN
          RAISE;
        EXCEPTION WHEN SQLSTATE 'P0001' THEN
          words := sqlstate;
          RAISE;
        END;
        RETURN words;
      WHEN assert_failure THEN
        RAISE EXCEPTION 'again: %', SQLERRM USING ERRCODE = 'unique_violation';
    END;
  END LOOP;
  RETURN total::text;
EXCEPTION WHEN OTHERS THEN
  RETURN SQLERRM;
END $$;
CREATE PROCEDURE outside() LANGUAGE plpgsql AS $$
BEGIN
  RAISE;
END $$;
CREATE PROCEDURE inlined(a int) LANGUAGE plpgsql AS $$
DECLARE
  words text;
BEGIN
  words := told(a);
  CALL outside();
EXCEPTION WHEN SQLSTATE '0Z002' THEN
  NULL;
END $$;
