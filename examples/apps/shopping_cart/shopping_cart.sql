-- SPDX-License-Identifier: MIT
-- Shopping carts: put something in, change how many, take it out, look.
--
-- After the shopping cart of Sivaramakrishnan, Kaki and Jagannathan, PLDI 2015, as
-- Bouajjani et al., PLDI 2023, use it.
-- What can go wrong: two additions of the same item lose one of them below PSI; a change
-- of quantity that saw the item overwrites its removal, and the item comes back; below SER
-- two items each pass the check of the cart's limit, and together they break it.

CREATE TABLE item (
  id    int PRIMARY KEY,
  name  text NOT NULL,
  price numeric(8, 2) NOT NULL CHECK (price >= 0)
);

CREATE TABLE cart_item (
  customer int NOT NULL,
  item_id  int NOT NULL REFERENCES item (id),
  quantity int NOT NULL CHECK (quantity > 0),
  PRIMARY KEY (customer, item_id)
);

-- Every addition by its request, so that one that is sent twice counts once.
CREATE TABLE addition (
  request  int PRIMARY KEY,
  customer int NOT NULL,
  item_id  int NOT NULL REFERENCES item (id),
  quantity int NOT NULL
);

-- A cart holds at most 20 pieces.
CREATE PROCEDURE add_item(request_id int, who int, what int, pieces int)
LANGUAGE plpgsql AS $$
DECLARE
  held bigint;
BEGIN
  SELECT coalesce(sum(quantity), 0) INTO held FROM cart_item WHERE customer = who;
  IF held + pieces > 20 THEN
    RAISE EXCEPTION 'the cart is full';
  END IF;
  INSERT INTO addition VALUES (request_id, who, what, pieces);
  INSERT INTO cart_item (customer, item_id, quantity) VALUES (who, what, pieces)
  ON CONFLICT (customer, item_id) DO UPDATE SET quantity = cart_item.quantity + excluded.quantity;
END $$;

CREATE PROCEDURE remove_item(who int, what int) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM cart_item WHERE customer = who AND item_id = what;
END $$;

CREATE PROCEDURE change_quantity(who int, what int, pieces int) LANGUAGE plpgsql AS $$
BEGIN
  UPDATE cart_item SET quantity = pieces WHERE customer = who AND item_id = what;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'item % is not in the cart', what;
  END IF;
END $$;

CREATE FUNCTION get_quantity(who int, what int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  pieces int;
BEGIN
  SELECT quantity INTO pieces FROM cart_item WHERE customer = who AND item_id = what;
  RETURN coalesce(pieces, 0);
END $$;

-- What the cart costs.
CREATE FUNCTION get_total(who int) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  total numeric;
BEGIN
  SELECT sum(c.quantity * i.price) INTO total
  FROM cart_item c JOIN item i ON i.id = c.item_id
  WHERE c.customer = who;
  RETURN coalesce(total, 0);
END $$;
