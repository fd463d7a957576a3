-- SPDX-License-Identifier: MIT
-- The auction of auction_v1, repeated since an application is one file, made safe by tokens.
--
-- "Auction" (second version) in Kulahcioglu Ozkan, NETYS 2020, from Nair
-- et al., ESOP 2020.  Each replica holds a token while it takes bids, and gives it up
-- when it has finished; the auction closes only once no replica holds one.
-- What can go wrong: nothing from CC upwards, if each replica is a session.  Whoever sees
-- a token given up also sees the bids that its replica placed before.  Below CC the token
-- can be seen without the bids, and a lower bid wins.

CREATE TABLE auction (
  id     int PRIMARY KEY,
  status text NOT NULL DEFAULT 'new' CHECK (status IN ('new', 'active', 'closed')),
  winner text
);

CREATE TABLE bid (
  auction_id int NOT NULL,
  bidder     text NOT NULL,
  amount     int NOT NULL CHECK (amount > 0),
  PRIMARY KEY (auction_id, bidder)
);

CREATE TABLE token (
  auction_id int NOT NULL,
  replica    int NOT NULL,
  is_held    boolean NOT NULL,
  PRIMARY KEY (auction_id, replica)
);

CREATE PROCEDURE start_auction(which int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE auction SET status = 'active' WHERE id = which AND status = 'new';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'auction % cannot start', which;
  END IF;
END $$;

CREATE PROCEDURE place_bid(which int, at_replica int, who text, price int)
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM auction WHERE id = which AND status = 'active') THEN
    RAISE EXCEPTION 'auction % is not active', which;
  END IF;
  IF NOT EXISTS (SELECT 1 FROM token
                 WHERE auction_id = which AND replica = at_replica AND is_held) THEN
    RAISE EXCEPTION 'replica % takes no more bids', at_replica;
  END IF;
  INSERT INTO bid VALUES (which, who, price)
  ON CONFLICT (auction_id, bidder) DO UPDATE SET amount = greatest(bid.amount, excluded.amount);
END $$;

CREATE PROCEDURE give_up_token(which int, at_replica int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE token SET is_held = false WHERE auction_id = which AND replica = at_replica;
END $$;

-- The last bid that a replica takes: it gives up its token with it.
CREATE PROCEDURE place_last_bid(which int, at_replica int, who text, price int)
LANGUAGE plpgsql AS $$
BEGIN
  CALL place_bid(which, at_replica, who, price);
  UPDATE token SET is_held = false WHERE auction_id = which AND replica = at_replica;
END $$;

-- Returns the winner; NULL if nobody bid.
CREATE FUNCTION close_auction(which int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  best text;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM auction WHERE id = which AND status = 'active') THEN
    RAISE EXCEPTION 'auction % is not active', which;
  END IF;
  IF EXISTS (SELECT 1 FROM token WHERE auction_id = which AND is_held) THEN
    RAISE EXCEPTION 'auction % still takes bids', which;
  END IF;
  SELECT bidder INTO best FROM bid WHERE auction_id = which ORDER BY amount DESC, bidder LIMIT 1;
  UPDATE auction SET status = 'closed', winner = best WHERE id = which;
  RETURN best;
END $$;
