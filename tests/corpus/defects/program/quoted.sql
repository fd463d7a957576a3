CREATE TABLE "On Call" (id int PRIMARY KEY, "isOn" boolean NOT NULL, "a ""b""" text);
CREATE PROCEDURE "goHome"("Who" int, why text) LANGUAGE plpgsql AS $$
DECLARE "Rest" int;
BEGIN
  SELECT count(*) INTO "Rest" FROM "On Call" AS "O" WHERE "O"."isOn" AND "O".id <> "Who";
  <<"Loop">> LOOP
    EXIT "Loop" WHEN "Rest" < 1;
    UPDATE "On Call" SET "isOn" = false, "a ""b""" = why WHERE id = "Who";
    EXIT;
  END LOOP;
END $$;
CREATE FUNCTION "what is it?"() RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT "a ""b""" FROM "On Call" WHERE NOT "isOn");
END $$;
