-- SPDX-License-Identifier: MIT
-- Figure 1(b) of Kulahcioglu Ozkan, NETYS 2020: a course gets the first slot that is free.

CREATE TABLE timetable (
  slot   int PRIMARY KEY,
  course int
);

CREATE PROCEDURE schedule_course(course_id int) LANGUAGE plpgsql AS $$
DECLARE
  free int;
BEGIN
  SELECT slot INTO free FROM timetable WHERE course IS NULL ORDER BY slot LIMIT 1;
  IF FOUND THEN
    UPDATE timetable SET course = course_id WHERE slot = free;
  END IF;
END $$;
