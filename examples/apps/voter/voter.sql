-- SPDX-License-Identifier: MIT
-- Votes by telephone for contestants of a show, so many for each number and no more.
--
-- The Voter benchmark of OLTP-Bench (Difallah et al., VLDB 2013), after the system of a
-- television show.
-- What can go wrong: two calls from one number both count the votes before the other's is
-- there, and the number gets a vote too many.  They insert different rows, so every level
-- below SER allows it.

CREATE TABLE contestants (
  contestant_number int PRIMARY KEY,
  contestant_name   varchar(50) NOT NULL
);

CREATE TABLE area_code_state (
  area_code int PRIMARY KEY,
  state     varchar(2) NOT NULL
);

CREATE TABLE votes (
  vote_id           bigint PRIMARY KEY,
  phone_number      bigint NOT NULL,
  state             varchar(2) NOT NULL,
  contestant_number int NOT NULL REFERENCES contestants (contestant_number),
  created           timestamp NOT NULL
);

-- 0: counted; 1: no such contestant; 2: the number has used its votes.
CREATE FUNCTION vote(
  id bigint, phone bigint, contestant int, votes_max int, at timestamp
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  used bigint;
  home varchar(2);
BEGIN
  PERFORM 1 FROM contestants WHERE contestant_number = contestant;
  IF NOT FOUND THEN
    RETURN 1;
  END IF;
  SELECT count(*) INTO used FROM votes WHERE phone_number = phone;
  IF used >= votes_max THEN
    RETURN 2;
  END IF;
  SELECT state INTO home FROM area_code_state WHERE area_code = phone / 10000000;
  INSERT INTO votes (vote_id, phone_number, state, contestant_number, created)
  VALUES (id, phone, coalesce(home, 'XX'), contestant, at);
  RETURN 0;
END $$;
