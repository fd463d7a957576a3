CREATE TABLE seat (id int PRIMARY KEY, taken_by int UNIQUE);
CREATE PROCEDURE book(s int, w int) LANGUAGE plpgsql AS $$
DECLARE x int;
BEGIN
UPDATE seat SET taken_by = w WHERE id = s AND taken_by IS NULL;
END $$;
