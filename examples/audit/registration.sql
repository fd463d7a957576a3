-- SPDX-License-Identifier: MIT
-- Courseware as in the case study of Nagar and Jagannathan, "Automated Detection of
-- Serializability Violations under Weak Consistency", CONCUR 2018, section 6: courses with a
-- capacity, students who register for them.
-- What can go wrong without coordination: a course gets more students than it has seats, a
-- name is taken twice, a student is enrolled in a course that is being removed.  With the
-- levels of upgraded.toml none of that happens; what is left is that two enrolments see a new
-- course and a new student in opposite orders, which no one notices, as both then fail.

CREATE TABLE course (
  name     int PRIMARY KEY,
  seats    int NOT NULL,
  enrolled int NOT NULL
);

CREATE TABLE student (
  name int PRIMARY KEY,
  year int NOT NULL
);

CREATE TABLE enrolment (
  student int NOT NULL,
  course  int NOT NULL,
  PRIMARY KEY (student, course)
);

CREATE FUNCTION add_course(new_name int, capacity int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM course WHERE name = new_name) THEN
    RETURN false;
  END IF;
  INSERT INTO course VALUES (new_name, capacity, 0);
  RETURN true;
END $$;

CREATE FUNCTION add_student(new_name int, since int) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM student WHERE name = new_name) THEN
    RETURN false;
  END IF;
  INSERT INTO student VALUES (new_name, since);
  RETURN true;
END $$;

CREATE FUNCTION enroll(who int, what int) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  known    boolean;
  taken    int;
  capacity int;
BEGIN
  PERFORM 1 FROM student WHERE name = who;
  known := FOUND;
  SELECT enrolled, seats INTO taken, capacity FROM course WHERE name = what;
  IF NOT known OR NOT FOUND OR taken >= capacity THEN
    RETURN false;
  END IF;
  UPDATE course SET enrolled = taken + 1 WHERE name = what;
  INSERT INTO enrolment VALUES (who, what) ON CONFLICT DO NOTHING;
  RETURN true;
END $$;

CREATE PROCEDURE remove_course(gone int) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM enrolment WHERE course = gone;
  DELETE FROM course WHERE name = gone;
END $$;

CREATE PROCEDURE remove_student(gone int) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM enrolment WHERE student = gone;
  DELETE FROM student WHERE name = gone;
END $$;
