-- SPDX-License-Identifier: MIT
-- An auction: it starts, people bid, it closes with the highest bidder as winner.
--
-- "Auction" (first version) in Kulahcioglu Ozkan, NETYS 2020, from Nair
-- et al., ESOP 2020.
-- What can go wrong: a bid is placed while the auction closes.  The bid's transaction sees
-- the auction active, the closing one does not see the bid, and a lower bid wins.  They
-- write different rows, so every level below SER allows it.  auction_v2 repairs it.

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

CREATE PROCEDURE start_auction(which int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE auction SET status = 'active' WHERE id = which AND status = 'new';
  IF NOT FOUND THEN
    RAISE EXCEPTION 'auction % cannot start', which;
  END IF;
END $$;

CREATE PROCEDURE place_bid(which int, who text, price int) LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM auction WHERE id = which AND status = 'active') THEN
    RAISE EXCEPTION 'auction % is not active', which;
  END IF;
  INSERT INTO bid VALUES (which, who, price)
  ON CONFLICT (auction_id, bidder) DO UPDATE SET amount = greatest(bid.amount, excluded.amount);
END $$;

-- Returns the winner; NULL if nobody bid.
CREATE FUNCTION close_auction(which int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  best text;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM auction WHERE id = which AND status = 'active') THEN
    RAISE EXCEPTION 'auction % is not active', which;
  END IF;
  SELECT bidder INTO best FROM bid WHERE auction_id = which ORDER BY amount DESC, bidder LIMIT 1;
  UPDATE auction SET status = 'closed', winner = best WHERE id = which;
  RETURN best;
END $$;
