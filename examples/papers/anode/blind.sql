-- SPDX-License-Identifier: MIT
-- Lemma 4 of Nagar and Jagannathan, CONCUR 2018: wr goes along visibility, ww along arbitration,
-- and rw against visibility.  So transactions that only write never make a cycle, whatever the
-- level, since arbitration has none.

CREATE TABLE setting (
  name  text PRIMARY KEY,
  value int
);

CREATE PROCEDURE set_both(a int, b int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE setting SET value = a WHERE name = 'a';
  UPDATE setting SET value = b WHERE name = 'b';
END $$;
