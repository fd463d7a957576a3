CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, amount numeric(10,2), day date);
CREATE PROCEDURE p() LANGUAGE plpgsql AS $$
BEGIN
  UPDATE t SET name = name;
EXCEPTION WHEN others THEN
  NULL;
END $$;
