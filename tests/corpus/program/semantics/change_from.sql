-- UPDATE .. FROM and DELETE .. USING.
CREATE TABLE item (id int PRIMARY KEY, price int NOT NULL, stock int NOT NULL, kind text);
CREATE TABLE line (o int, n int, item_id int REFERENCES item (id), amount int NOT NULL, PRIMARY KEY (o, n));
CREATE PROCEDURE fill() LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO item VALUES (1, 10, 100, 'a'), (2, 20, 50, 'b'), (3, 30, 0, 'a'), (4, 5, 5, NULL);
  INSERT INTO line VALUES (1, 1, 1, 2), (1, 2, 3, 1), (2, 1, 2, 7), (2, 2, 4, 1), (3, 1, NULL, 9);
END $$;
CREATE FUNCTION items() RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; out text := '';
BEGIN
  FOR r IN SELECT id, price, stock FROM item ORDER BY id LOOP out := out || r.id || ':' || r.price || ',' || r.stock || ';'; END LOOP;
  FOR r IN SELECT o, n, amount FROM line ORDER BY o, n LOOP out := out || r.o || '/' || r.n || ':' || r.amount || ';'; END LOOP;
  RETURN out;
END $$;
CREATE FUNCTION ship(ord int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE n_rows int;
BEGIN
  UPDATE item SET stock = stock - l.amount FROM line l WHERE l.o = ord AND l.item_id = item.id AND stock >= l.amount;
  GET DIAGNOSTICS n_rows = ROW_COUNT;
  RETURN n_rows;
END $$;
CREATE FUNCTION price_up(i int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE p int; a int;
BEGIN
  UPDATE item AS x SET price = x.price + y.price FROM item y WHERE x.id = i AND y.id = x.id - 1 RETURNING x.price, y.price INTO p, a;
  RETURN coalesce(p::text, 'none') || ' ' || coalesce(a::text, 'none') || ' ' || FOUND;
END $$;
CREATE FUNCTION joined(k text) RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
  UPDATE line SET amount = line.amount + b.price FROM item a JOIN item b ON b.id = a.id + 1 WHERE a.id = line.item_id AND a.kind = k;
  RETURN FOUND;
END $$;
CREATE FUNCTION left_joined() RETURNS bool LANGUAGE plpgsql AS $$
BEGIN
  UPDATE line SET amount = line.amount + coalesce(b.price, 1000) FROM item a LEFT JOIN item b ON b.id = a.id + 1 WHERE a.id = line.item_id;
  RETURN FOUND;
END $$;
CREATE FUNCTION cross_out(k text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE c bigint;
BEGIN
  DELETE FROM line USING item WHERE line.item_id = item.id AND item.kind = k;
  GET DIAGNOSTICS c := ROW_COUNT;
  RETURN c;
END $$;
CREATE FUNCTION cross_out_one(ord int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE x int; y text;
BEGIN
  DELETE FROM line l USING item i WHERE l.o = ord AND l.n = 1 AND i.id = l.item_id RETURNING l.amount, i.kind INTO x, y;
  RETURN x || coalesce(y, 'NULL');
END $$;
CREATE FUNCTION negative() RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM item USING line WHERE item.id = line.item_id AND line.o = 2;
  RETURN 1;
END $$;
CREATE FUNCTION counts() RETURNS text LANGUAGE plpgsql AS $$
DECLARE a int; b int; c int; d int; x int;
BEGIN
  PERFORM 1 FROM item; GET DIAGNOSTICS a = ROW_COUNT;
  SELECT id INTO x FROM item ORDER BY id; GET DIAGNOSTICS b = ROW_COUNT;
  INSERT INTO item SELECT id + 10, 1, 1, 'z' FROM item WHERE id < 3; GET CURRENT DIAGNOSTICS c = ROW_COUNT;
  SELECT id INTO x FROM item WHERE id = 77; GET DIAGNOSTICS d = ROW_COUNT;
  RETURN a || ' ' || b || ' ' || c || ' ' || d;
END $$;
-- call fill() => ok
-- call ship(1) => 1
-- call ship(2) => 2
-- call ship(9) => 0
-- call items() => 1:10,98;2:20,43;3:30,0;4:5,4;1/1:2;1/2:1;2/1:7;2/2:1;3/1:9;
-- call price_up(2) => 30 10 true
-- call price_up(1) => none none false
-- call price_up(4) => 35 30 true
-- call items() => 1:10,98;2:30,43;3:30,0;4:35,4;1/1:2;1/2:1;2/1:7;2/2:1;3/1:9;
-- call joined('a') => t
-- call joined('z') => f
-- call left_joined() => t
-- call items() => 1:10,98;2:30,43;3:30,0;4:35,4;1/1:62;1/2:71;2/1:37;2/2:1001;3/1:9;
-- call negative() => ERROR 23503 update or delete on table "item" violates foreign key constraint "line_item_id_fkey" on table "line"
-- call cross_out_one(2) => 37b
-- call cross_out('a') => 2
-- call cross_out('a') => 0
-- call items() => 1:10,98;2:30,43;3:30,0;4:35,4;2/2:1001;3/1:9;
-- call counts() => 4 1 2 0
