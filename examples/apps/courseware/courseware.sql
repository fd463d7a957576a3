-- SPDX-License-Identifier: MIT
-- Courses, students, enrolments and a timetable.
--
-- The transactions of "Courseware" in Kulahcioglu Ozkan, NETYS 2020
-- (adding, enrolling, scheduling) and in Bouajjani et al., PLDI 2023 (opening, closing,
-- deleting, a limit on enrolments); both go back to Nair et al., ESOP 2020.
-- What can go wrong: two courses get the same name, or a course too many students,
-- because each transaction inserts a row that the other's check did not see.  SI does not
-- help, for the rows differ (write skew); SER does.  Two courses scheduled into one slot
-- both write that slot's row, so PSI and SI are enough there.

CREATE TABLE student (
  id   int PRIMARY KEY,
  name text NOT NULL
);

CREATE TABLE course (
  id       int PRIMARY KEY,
  name     text NOT NULL,
  capacity int NOT NULL CHECK (capacity > 0),
  is_open  boolean NOT NULL DEFAULT true,
  slot     int
);

CREATE TABLE enrolment (
  course_id  int NOT NULL,
  student_id int NOT NULL,
  PRIMARY KEY (course_id, student_id)
);

CREATE TABLE timetable (
  slot      int PRIMARY KEY,
  course_id int
);

CREATE PROCEDURE add_student(student_id int, student_name text) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO student VALUES (student_id, student_name);
END $$;

CREATE PROCEDURE add_course(new_id int, new_name text, seats int) LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM course WHERE name = new_name) THEN
    RAISE EXCEPTION 'there is a course named %', new_name;
  END IF;
  INSERT INTO course (id, name, capacity) VALUES (new_id, new_name, seats);
END $$;

CREATE PROCEDURE enroll(which_student int, which_course int) LANGUAGE plpgsql AS $$
DECLARE
  c     record;
  taken bigint;
BEGIN
  PERFORM 1 FROM student WHERE id = which_student;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no student %', which_student;
  END IF;
  SELECT capacity, is_open INTO c FROM course WHERE id = which_course;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no course %', which_course;
  END IF;
  SELECT count(*) INTO taken FROM enrolment WHERE course_id = which_course;
  IF NOT c.is_open OR taken >= c.capacity THEN
    RAISE EXCEPTION 'course % is closed or full', which_course;
  END IF;
  INSERT INTO enrolment VALUES (which_course, which_student);
END $$;

-- Gives the course the first free slot; false if there is none, or it has one.
CREATE FUNCTION schedule_course(which_course int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  free int;
BEGIN
  SELECT slot INTO free FROM timetable WHERE course_id IS NULL ORDER BY slot LIMIT 1;
  IF NOT FOUND OR NOT EXISTS (SELECT 1 FROM course WHERE id = which_course AND slot IS NULL) THEN
    RETURN false;
  END IF;
  UPDATE timetable SET course_id = which_course WHERE slot = free;
  UPDATE course SET slot = free WHERE id = which_course;
  RETURN true;
END $$;

CREATE PROCEDURE open_course(which_course int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE course SET is_open = true WHERE id = which_course;
END $$;

CREATE PROCEDURE close_course(which_course int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE course SET is_open = false WHERE id = which_course;
END $$;

-- Only a closed course that nobody attends can go.
CREATE PROCEDURE delete_course(which_course int) LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM enrolment WHERE course_id = which_course) THEN
    RAISE EXCEPTION 'course % has students', which_course;
  END IF;
  UPDATE timetable SET course_id = NULL WHERE course_id = which_course;
  DELETE FROM course WHERE id = which_course AND NOT is_open;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'course % is open, or does not exist', which_course;
  END IF;
END $$;

CREATE FUNCTION count_enrolments(which_course int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  total bigint;
BEGIN
  SELECT count(*) INTO total
  FROM enrolment e JOIN student s ON s.id = e.student_id
  WHERE e.course_id = which_course;
  RETURN total;
END $$;
