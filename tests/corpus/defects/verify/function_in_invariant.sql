CREATE TABLE a (id int PRIMARY KEY, s text);
CREATE PROCEDURE f(x text) LANGUAGE plpgsql AS $$ BEGIN UPDATE a SET s = x WHERE id = 1; END $$;
