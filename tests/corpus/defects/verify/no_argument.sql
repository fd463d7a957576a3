CREATE TABLE a (id int PRIMARY KEY, v boolean);
CREATE PROCEDURE f(x boolean) LANGUAGE plpgsql AS $$ BEGIN UPDATE a SET v = x WHERE id = 1; END $$;
