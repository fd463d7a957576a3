CREATE TABLE a (id int PRIMARY KEY, name int UNIQUE);
CREATE TABLE b (id int PRIMARY KEY, name int REFERENCES a (name));
CREATE PROCEDURE f(k int) LANGUAGE plpgsql AS $$ BEGIN DELETE FROM b WHERE id = k; END $$;
