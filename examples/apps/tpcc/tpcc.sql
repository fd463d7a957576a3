-- SPDX-License-Identifier: MIT
-- TPC-C: the warehouses, orders and payments of a wholesale supplier.
--
-- All nine tables and all five transactions of the TPC Benchmark C, revision 5.11, with
-- its logic.  Identifiers of history rows and all times are inputs of the calls.  The
-- lines of an order come as comma-separated lists; char columns are varchar here.
-- What can go wrong: two new orders of one district get one number (lost update on
-- d_next_o_id: allowed below PSI), payments get lost from the year's totals (likewise), one
-- order is delivered twice, and a payment and a delivery overwrite each other's balance.
-- From PSI upwards the consistency conditions hold.  With a delivery for each district, as in
-- tpcc_by_district.sql, it is serializable under SI (Fekete et al., TODS 2005); not quite so here.

CREATE TABLE warehouse (
  w_id       int PRIMARY KEY,
  w_name     varchar(10) NOT NULL,
  w_street_1 varchar(20) NOT NULL DEFAULT '1 Dock Road',
  w_street_2 varchar(20) NOT NULL DEFAULT '',
  w_city     varchar(20) NOT NULL DEFAULT 'Harbour',
  w_state    varchar(2) NOT NULL DEFAULT 'CA',
  w_zip      varchar(9) NOT NULL DEFAULT '123411111',
  w_tax      numeric(4, 4) NOT NULL,
  w_ytd      numeric(12, 2) NOT NULL
);

CREATE TABLE district (
  d_w_id      int NOT NULL REFERENCES warehouse (w_id),
  d_id        int NOT NULL,
  d_name      varchar(10) NOT NULL,
  d_street_1  varchar(20) NOT NULL DEFAULT '1 Main Street',
  d_street_2  varchar(20) NOT NULL DEFAULT '',
  d_city      varchar(20) NOT NULL DEFAULT 'Harbour',
  d_state     varchar(2) NOT NULL DEFAULT 'CA',
  d_zip       varchar(9) NOT NULL DEFAULT '123411111',
  d_tax       numeric(4, 4) NOT NULL,
  d_ytd       numeric(12, 2) NOT NULL,
  d_next_o_id int NOT NULL,
  PRIMARY KEY (d_w_id, d_id)
);

CREATE TABLE customer (
  c_w_id         int NOT NULL,
  c_d_id         int NOT NULL,
  c_id           int NOT NULL,
  c_first        varchar(16) NOT NULL,
  c_middle       varchar(2) NOT NULL DEFAULT 'OE',
  c_last         varchar(16) NOT NULL,
  c_street_1     varchar(20) NOT NULL DEFAULT '1 High Street',
  c_street_2     varchar(20) NOT NULL DEFAULT '',
  c_city         varchar(20) NOT NULL DEFAULT 'Harbour',
  c_state        varchar(2) NOT NULL DEFAULT 'CA',
  c_zip          varchar(9) NOT NULL DEFAULT '123411111',
  c_phone        varchar(16) NOT NULL DEFAULT '0123456789012345',
  c_since        timestamp NOT NULL DEFAULT '2024-01-01 00:00:00',
  c_credit       varchar(2) NOT NULL DEFAULT 'GC',
  c_credit_lim   numeric(12, 2) NOT NULL DEFAULT 50000.00,
  c_discount     numeric(4, 4) NOT NULL DEFAULT 0.1000,
  c_balance      numeric(12, 2) NOT NULL DEFAULT -10.00,
  c_ytd_payment  numeric(12, 2) NOT NULL DEFAULT 10.00,
  c_payment_cnt  int NOT NULL DEFAULT 1,
  c_delivery_cnt int NOT NULL DEFAULT 0,
  c_data         varchar(500) NOT NULL DEFAULT 'a customer since long',
  PRIMARY KEY (c_w_id, c_d_id, c_id),
  FOREIGN KEY (c_w_id, c_d_id) REFERENCES district (d_w_id, d_id)
);

CREATE TABLE history (
  h_id     int PRIMARY KEY,
  h_c_id   int NOT NULL,
  h_c_d_id int NOT NULL,
  h_c_w_id int NOT NULL,
  h_d_id   int NOT NULL,
  h_w_id   int NOT NULL,
  h_date   timestamp NOT NULL,
  h_amount numeric(6, 2) NOT NULL,
  h_data   varchar(24) NOT NULL,
  FOREIGN KEY (h_c_w_id, h_c_d_id, h_c_id) REFERENCES customer (c_w_id, c_d_id, c_id),
  FOREIGN KEY (h_w_id, h_d_id) REFERENCES district (d_w_id, d_id)
);

CREATE TABLE orders (
  o_w_id       int NOT NULL,
  o_d_id       int NOT NULL,
  o_id         int NOT NULL,
  o_c_id       int NOT NULL,
  o_entry_d    timestamp NOT NULL,
  o_carrier_id int,
  o_ol_cnt     int NOT NULL,
  o_all_local  int NOT NULL,
  PRIMARY KEY (o_w_id, o_d_id, o_id),
  FOREIGN KEY (o_w_id, o_d_id, o_c_id) REFERENCES customer (c_w_id, c_d_id, c_id)
);

CREATE TABLE new_order (
  no_w_id int NOT NULL,
  no_d_id int NOT NULL,
  no_o_id int NOT NULL,
  PRIMARY KEY (no_w_id, no_d_id, no_o_id),
  FOREIGN KEY (no_w_id, no_d_id, no_o_id) REFERENCES orders (o_w_id, o_d_id, o_id)
);

CREATE TABLE item (
  i_id    int PRIMARY KEY,
  i_im_id int NOT NULL DEFAULT 1,
  i_name  varchar(24) NOT NULL,
  i_price numeric(5, 2) NOT NULL,
  i_data  varchar(50) NOT NULL DEFAULT 'plain'
);

CREATE TABLE stock (
  s_w_id       int NOT NULL REFERENCES warehouse (w_id),
  s_i_id       int NOT NULL REFERENCES item (i_id),
  s_quantity   int NOT NULL,
  s_dist_01    varchar(24) NOT NULL DEFAULT 'shelf 1 for district one',
  s_dist_02    varchar(24) NOT NULL DEFAULT 'shelf 2 for district two',
  s_dist_03    varchar(24) NOT NULL DEFAULT 'shelf 3 for district 3--',
  s_dist_04    varchar(24) NOT NULL DEFAULT 'shelf 4 for district 4--',
  s_dist_05    varchar(24) NOT NULL DEFAULT 'shelf 5 for district 5--',
  s_dist_06    varchar(24) NOT NULL DEFAULT 'shelf 6 for district 6--',
  s_dist_07    varchar(24) NOT NULL DEFAULT 'shelf 7 for district 7--',
  s_dist_08    varchar(24) NOT NULL DEFAULT 'shelf 8 for district 8--',
  s_dist_09    varchar(24) NOT NULL DEFAULT 'shelf 9 for district 9--',
  s_dist_10    varchar(24) NOT NULL DEFAULT 'shelf 10 for district 10',
  s_ytd        int NOT NULL DEFAULT 0,
  s_order_cnt  int NOT NULL DEFAULT 0,
  s_remote_cnt int NOT NULL DEFAULT 0,
  s_data       varchar(50) NOT NULL DEFAULT 'ORIGINAL',
  PRIMARY KEY (s_w_id, s_i_id)
);

CREATE TABLE order_line (
  ol_w_id        int NOT NULL,
  ol_d_id        int NOT NULL,
  ol_o_id        int NOT NULL,
  ol_number      int NOT NULL,
  ol_i_id        int NOT NULL,
  ol_supply_w_id int NOT NULL,
  ol_delivery_d  timestamp,
  ol_quantity    int NOT NULL,
  ol_amount      numeric(6, 2) NOT NULL,
  ol_dist_info   varchar(24) NOT NULL DEFAULT 'shelf 1 for district one',
  PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number),
  FOREIGN KEY (ol_w_id, ol_d_id, ol_o_id) REFERENCES orders (o_w_id, o_d_id, o_id),
  FOREIGN KEY (ol_supply_w_id, ol_i_id) REFERENCES stock (s_w_id, s_i_id)
);

-- Clause 2.4.  Returns what the order costs.  An unused item number, which one order in a
-- hundred has as its last, rolls the order back.
CREATE FUNCTION new_order(
  warehouse_id int, district_id int, customer_id int, line_count int,
  items text, supply_warehouses text, quantities text, entered timestamp
) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE
  warehouse_tax numeric;
  district_tax  numeric;
  discount      numeric;
  order_id      int;
  all_local     int := 1;
  total         numeric := 0;
  amount        numeric;
  item_id       int;
  supplier      int;
  quantity      int;
  price         numeric;
  shelf         text;
  remaining     int;
BEGIN
  FOR line IN 1..line_count LOOP
    IF split_part(supply_warehouses, ',', line)::int <> warehouse_id THEN
      all_local := 0;
    END IF;
  END LOOP;

  SELECT w_tax INTO STRICT warehouse_tax FROM warehouse WHERE w_id = warehouse_id;
  SELECT d_tax, d_next_o_id INTO STRICT district_tax, order_id
  FROM district WHERE d_w_id = warehouse_id AND d_id = district_id
  FOR UPDATE;
  UPDATE district SET d_next_o_id = order_id + 1
  WHERE d_w_id = warehouse_id AND d_id = district_id;
  SELECT c_discount INTO STRICT discount
  FROM customer WHERE c_w_id = warehouse_id AND c_d_id = district_id AND c_id = customer_id;

  INSERT INTO orders
  VALUES (warehouse_id, district_id, order_id, customer_id, entered, NULL, line_count, all_local);
  INSERT INTO new_order VALUES (warehouse_id, district_id, order_id);

  FOR line IN 1..line_count LOOP
    item_id := split_part(items, ',', line)::int;
    supplier := split_part(supply_warehouses, ',', line)::int;
    quantity := split_part(quantities, ',', line)::int;
    SELECT i_price INTO price FROM item WHERE i_id = item_id;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'item number % is not valid', item_id;
    END IF;
    SELECT s_quantity,
           CASE district_id
             WHEN 1 THEN s_dist_01 WHEN 2 THEN s_dist_02 WHEN 3 THEN s_dist_03
             WHEN 4 THEN s_dist_04 WHEN 5 THEN s_dist_05 WHEN 6 THEN s_dist_06
             WHEN 7 THEN s_dist_07 WHEN 8 THEN s_dist_08 WHEN 9 THEN s_dist_09
             ELSE s_dist_10
           END
    INTO STRICT remaining, shelf
    FROM stock WHERE s_w_id = supplier AND s_i_id = item_id
    FOR UPDATE;
    IF remaining >= quantity + 10 THEN
      remaining := remaining - quantity;
    ELSE
      remaining := remaining - quantity + 91;
    END IF;
    UPDATE stock
    SET s_quantity = remaining,
        s_ytd = s_ytd + quantity,
        s_order_cnt = s_order_cnt + 1,
        s_remote_cnt = s_remote_cnt + CASE WHEN supplier = warehouse_id THEN 0 ELSE 1 END
    WHERE s_w_id = supplier AND s_i_id = item_id;
    amount := quantity * price;
    total := total + amount;
    INSERT INTO order_line
    VALUES (warehouse_id, district_id, order_id, line, item_id, supplier, NULL, quantity, amount, shelf);
  END LOOP;
  RETURN round(total * (1 - discount) * (1 + warehouse_tax + district_tax), 2);
END $$;

-- Clause 2.5.  The customer is given by number, or by last name if the number is NULL: then
-- the one in the middle by first name, of those in his district who are called so.
CREATE PROCEDURE payment(
  payment_id int, warehouse_id int, district_id int,
  customer_warehouse int, customer_district int, customer_id int, last_name text,
  amount numeric, paid timestamp
) LANGUAGE plpgsql AS $$
DECLARE
  warehouse_name varchar(10);
  district_name  varchar(10);
  namesakes      bigint;
  payer          int := customer_id;
  credit         text;
  old_data       text;
BEGIN
  UPDATE warehouse SET w_ytd = w_ytd + amount WHERE w_id = warehouse_id
  RETURNING w_name INTO STRICT warehouse_name;
  UPDATE district SET d_ytd = d_ytd + amount
  WHERE d_w_id = warehouse_id AND d_id = district_id
  RETURNING d_name INTO STRICT district_name;

  IF payer IS NULL THEN
    SELECT count(*) INTO namesakes FROM customer
    WHERE c_w_id = customer_warehouse AND c_d_id = customer_district AND c_last = last_name;
    SELECT c_id INTO STRICT payer FROM customer
    WHERE c_w_id = customer_warehouse AND c_d_id = customer_district AND c_last = last_name
    ORDER BY c_first OFFSET (namesakes - 1) / 2 LIMIT 1;
  END IF;

  UPDATE customer
  SET c_balance = c_balance - amount,
      c_ytd_payment = c_ytd_payment + amount,
      c_payment_cnt = c_payment_cnt + 1
  WHERE c_w_id = customer_warehouse AND c_d_id = customer_district AND c_id = payer
  RETURNING c_credit, c_data INTO STRICT credit, old_data;
  IF credit = 'BC' THEN
    UPDATE customer
    SET c_data = substring(
          payer || ' ' || customer_district || ' ' || customer_warehouse || ' '
          || district_id || ' ' || warehouse_id || ' ' || amount || ' | ' || old_data, 1, 500)
    WHERE c_w_id = customer_warehouse AND c_d_id = customer_district AND c_id = payer;
  END IF;

  INSERT INTO history
  VALUES (payment_id, payer, customer_district, customer_warehouse, district_id, warehouse_id,
          paid, amount, warehouse_name || '    ' || district_name);
END $$;

-- Clause 2.6.  The customer's last order: its number, carrier and lines.
CREATE FUNCTION order_status(
  warehouse_id int, district_id int, customer_id int, last_name text
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  namesakes bigint;
  asker     int := customer_id;
  balance   numeric;
  o         record;
  line      record;
  status    text;
BEGIN
  IF asker IS NULL THEN
    SELECT count(*) INTO namesakes FROM customer
    WHERE c_w_id = warehouse_id AND c_d_id = district_id AND c_last = last_name;
    SELECT c_id INTO STRICT asker FROM customer
    WHERE c_w_id = warehouse_id AND c_d_id = district_id AND c_last = last_name
    ORDER BY c_first OFFSET (namesakes - 1) / 2 LIMIT 1;
  END IF;
  SELECT c_balance INTO STRICT balance FROM customer
  WHERE c_w_id = warehouse_id AND c_d_id = district_id AND c_id = asker;

  SELECT o_id, o_carrier_id INTO o FROM orders
  WHERE o_w_id = warehouse_id AND o_d_id = district_id AND o_c_id = asker
  ORDER BY o_id DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN balance || ': no order';
  END IF;
  status := balance || ': order ' || o.o_id || ' carrier ' || coalesce(o.o_carrier_id, 0);
  FOR line IN
    SELECT ol_i_id, ol_quantity, ol_amount FROM order_line
    WHERE ol_w_id = warehouse_id AND ol_d_id = district_id AND ol_o_id = o.o_id
    ORDER BY ol_number
  LOOP
    status := status || ', ' || line.ol_quantity || ' of ' || line.ol_i_id
                     || ' for ' || line.ol_amount;
  END LOOP;
  RETURN status;
END $$;

-- Clause 2.7.  Delivers the oldest new order of each of the ten districts; returns how many.
CREATE FUNCTION delivery(warehouse_id int, carrier int, delivered timestamp)
RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  done     int := 0;
  order_id int;
  buyer    int;
  total    numeric;
BEGIN
  FOR district_id IN 1..10 LOOP
    SELECT no_o_id INTO order_id FROM new_order
    WHERE no_w_id = warehouse_id AND no_d_id = district_id
    ORDER BY no_o_id LIMIT 1;
    CONTINUE WHEN NOT FOUND;
    DELETE FROM new_order
    WHERE no_w_id = warehouse_id AND no_d_id = district_id AND no_o_id = order_id;
    UPDATE orders SET o_carrier_id = carrier
    WHERE o_w_id = warehouse_id AND o_d_id = district_id AND o_id = order_id
    RETURNING o_c_id INTO STRICT buyer;
    UPDATE order_line SET ol_delivery_d = delivered
    WHERE ol_w_id = warehouse_id AND ol_d_id = district_id AND ol_o_id = order_id;
    SELECT sum(ol_amount) INTO total FROM order_line
    WHERE ol_w_id = warehouse_id AND ol_d_id = district_id AND ol_o_id = order_id;
    UPDATE customer
    SET c_balance = c_balance + total, c_delivery_cnt = c_delivery_cnt + 1
    WHERE c_w_id = warehouse_id AND c_d_id = district_id AND c_id = buyer;
    done := done + 1;
  END LOOP;
  RETURN done;
END $$;

-- Clause 2.8.  How many items of the district's last 20 orders are scarce.
CREATE FUNCTION stock_level(warehouse_id int, district_id int, threshold int)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  next_order int;
  scarce     bigint;
BEGIN
  SELECT d_next_o_id INTO STRICT next_order
  FROM district WHERE d_w_id = warehouse_id AND d_id = district_id;
  SELECT count(DISTINCT s_i_id) INTO scarce
  FROM order_line JOIN stock ON s_i_id = ol_i_id
  WHERE ol_w_id = warehouse_id AND ol_d_id = district_id
    AND ol_o_id >= next_order - 20 AND ol_o_id < next_order
    AND s_w_id = warehouse_id AND s_quantity < threshold;
  RETURN scarce;
END $$;
