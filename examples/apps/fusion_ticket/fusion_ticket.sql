-- SPDX-License-Identifier: MIT
-- Ticket sales where each ticket sold makes the next one dearer.
--
-- After "FusionTicket" in Kulahcioglu Ozkan, NETYS 2020.
-- What can go wrong: two buyers see the same number of tickets sold and pay the same
-- price, and two events get one venue.  In both cases the transactions write a common row
-- (the event, the venue), so PSI and SI suffice, and PC and CC do not.

CREATE TABLE venue (
  id       int PRIMARY KEY,
  event_id int
);

CREATE TABLE event (
  id       int PRIMARY KEY,
  venue_id int NOT NULL REFERENCES venue (id),
  price    int NOT NULL,             -- of the next ticket
  step     int NOT NULL DEFAULT 1,   -- by which a sale raises it
  sold     int NOT NULL DEFAULT 0
);

CREATE TABLE ticket (
  event_id int NOT NULL REFERENCES event (id),
  buyer    text NOT NULL,
  paid     int NOT NULL,
  PRIMARY KEY (event_id, buyer)
);

CREATE PROCEDURE add_event(new_id int, at_venue int, first_price int) LANGUAGE plpgsql AS $$
DECLARE
  occupied int;
BEGIN
  SELECT event_id INTO STRICT occupied FROM venue WHERE id = at_venue;
  IF occupied IS NOT NULL THEN
    RAISE EXCEPTION 'venue % is taken by event %', at_venue, occupied;
  END IF;
  UPDATE venue SET event_id = new_id WHERE id = at_venue;
  INSERT INTO event (id, venue_id, price) VALUES (new_id, at_venue, first_price);
END $$;

-- Returns what the buyer paid.
CREATE FUNCTION purchase(which int, buyer_name text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  e record;
BEGIN
  SELECT price, step, sold INTO e FROM event WHERE id = which;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no event %', which;
  END IF;
  INSERT INTO ticket VALUES (which, buyer_name, e.price);
  UPDATE event SET sold = e.sold + 1, price = e.price + e.step WHERE id = which;
  RETURN e.price;
END $$;
