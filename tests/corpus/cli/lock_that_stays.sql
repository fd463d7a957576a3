CREATE TABLE t (id int PRIMARY KEY, v int);
CREATE PROCEDURE hold() LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_lock(1); UPDATE t SET v = 1 WHERE id = 1; END $$;
CREATE PROCEDURE need() LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_lock(1); UPDATE t SET v = 2 WHERE id = 1; END $$;
