CREATE TABLE a (id int PRIMARY KEY, v int);
CREATE PROCEDURE f(x int) LANGUAGE plpgsql AS $$ BEGIN UPDATE a SET v = x WHERE id = 1; END $$;
