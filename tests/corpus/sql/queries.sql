-- SELECT in its many shapes.
CREATE TABLE item (id int PRIMARY KEY, name text NOT NULL, price numeric(8,2), stock int, day date);
CREATE TABLE sale (item_id int REFERENCES item, at bigint, amount int NOT NULL, note varchar(20), PRIMARY KEY (item_id, at));

CREATE PROCEDURE queries(which int, pattern text, since date) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  m bigint;
  t text;
  total numeric;
  d date;
  r record;
  texts record;
  truth record;
BEGIN
  SELECT id, name INTO n, t FROM item WHERE id = which;
  SELECT i.name INTO STRICT t FROM item i WHERE i.id = $1 FOR UPDATE;
  SELECT name INTO t FROM item ORDER BY price DESC NULLS LAST, name LIMIT 1 OFFSET 2 FOR SHARE;
  SELECT count(*), count(DISTINCT name), coalesce(sum(stock), 0), min(day), max(price)
    INTO n, m, total, d, total FROM item;
  SELECT sum(s.amount * i.price) INTO total FROM sale s JOIN item i ON i.id = s.item_id WHERE i.stock > 0;
  SELECT sum(s.amount) AS sold, i.id INTO r FROM item i LEFT JOIN sale s ON s.item_id = i.id AND s.amount > 1
    GROUP BY i.id HAVING count(s.at) > 1 ORDER BY sold DESC;
  n := r.sold + r.id;
  SELECT item.name INTO t FROM item, sale WHERE item.id = sale.item_id AND sale.at = 5;
  SELECT DISTINCT day INTO d FROM item ORDER BY 1;
  IF EXISTS (SELECT 1 FROM sale WHERE sale.item_id = which AND amount > (SELECT avg(s.amount) FROM sale s)) THEN
    n := (SELECT max(at) FROM sale);
  END IF;
  SELECT id INTO n FROM item WHERE id IN (SELECT item_id FROM sale) AND name NOT IN ('a', 'b')
    AND id NOT IN (SELECT s.item_id FROM sale s WHERE s.note = item.name);
  SELECT id INTO n FROM item WHERE name LIKE pattern || '%' AND name NOT LIKE '_x' AND day BETWEEN since AND '2024-12-31'
    AND NOT (stock IS NULL OR price IS NOT NULL) AND stock IS DISTINCT FROM 3 AND (stock > 3) IS NOT TRUE;
  SELECT CASE WHEN stock > 3 THEN 'many' WHEN stock IS NULL THEN NULL ELSE 'few' END,
    CASE id WHEN 1 THEN 1.5 ELSE 2 END INTO t, total FROM item;
  SELECT upper(name) || lower(note), length(name), substring(name FROM 2 FOR 3), position('a' IN name),
    abs(-stock), round(price, 1), mod(stock, 3), greatest(stock, id, 7), nullif(stock, 0), concat(name, stock)
    INTO texts FROM item JOIN sale ON sale.item_id = item.id;
  t := texts.substring || texts.concat || texts.abs;
  SELECT item_id, amount::bigint, CAST(amount AS numeric(5,1)), day - 3, since - day INTO n, m, total, d, n
    FROM sale JOIN item ON id = item_id;
  SELECT bool_and(stock >= 0) INTO STRICT truth FROM item WHERE (id, name) = (1, 'x');
  FOR r IN SELECT a.id AS left_id, b.* FROM item a CROSS JOIN item b LOOP
    n := r.left_id + r.stock;
  END LOOP;
  PERFORM 1 FROM item WHERE id = which FOR UPDATE;
END $$;

CREATE FUNCTION natural_joins(a int) RETURNS bigint LANGUAGE sql AS $$
  SELECT count(*) FROM item i JOIN sale s ON i.id = s.item_id JOIN item j USING (id) WHERE a > id
$$;

-- GROUP BY looks for a column of a table first, then for one of the select list.
CREATE PROCEDURE groups_by_names() LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  SELECT count(*) + (stock % 2) AS parity, stock % 2 AS half, price AS name INTO r
    FROM item GROUP BY half, price HAVING count(*) > 1 ORDER BY name LIMIT 1;
END $$;
