CREATE TABLE item (id int PRIMARY KEY, kind int NOT NULL);
CREATE INDEX ON item (kind);
CREATE TABLE archive (id int PRIMARY KEY, kind int);

CREATE PROCEDURE put_away(what int) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO archive SELECT id, kind FROM item WHERE kind = what;
  DELETE FROM item WHERE kind = what;
END $$;

CREATE PROCEDURE add(key int, what int) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO item VALUES (key, what);
END $$;
