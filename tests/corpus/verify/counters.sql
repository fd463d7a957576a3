CREATE TABLE counter (id int PRIMARY KEY, n int NOT NULL);

CREATE PROCEDURE count(which int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE counter SET n = n + 1 WHERE id = which;
END $$;

CREATE PROCEDURE touch(which int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE counter SET n = n WHERE id = which;
END $$;
