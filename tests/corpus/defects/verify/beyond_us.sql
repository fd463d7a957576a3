CREATE TABLE a (id int PRIMARY KEY, v int NOT NULL, day date);
CREATE PROCEDURE f(s text) LANGUAGE plpgsql AS $$ BEGIN UPDATE a SET v = -1, day = s::date WHERE id = 1; END $$;
CREATE PROCEDURE g(s text) LANGUAGE plpgsql AS $$ BEGIN IF s::numeric > 5 THEN UPDATE a SET v = -1 WHERE id = 1; END IF; END $$;
CREATE PROCEDURE h(x numeric) LANGUAGE plpgsql AS $$ BEGIN IF power(x, 3) > 5 THEN UPDATE a SET v = -1 WHERE id = 1; END IF; END $$;
