-- Three writers, and readers who note what they saw: 1, 2 and 4, added up.
CREATE TABLE flag (id int PRIMARY KEY, value int NOT NULL);
CREATE TABLE note (reader int PRIMARY KEY, saw int NOT NULL);

CREATE PROCEDURE raise_flag(which int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE flag SET value = which WHERE id = which;
END $$;

CREATE PROCEDURE look(who int) LANGUAGE plpgsql AS $$
DECLARE total int;
BEGIN
  SELECT sum(value) INTO total FROM flag;
  UPDATE note SET saw = total WHERE reader = who;
END $$;
