-- SPDX-License-Identifier: MIT
-- Wikipedia as IsoPredict and MonkeyDB ran it, cut down to what their transactions read and write.
--
-- OLTP-Bench (Difallah et al., VLDB 2013) edits a page in two transactions: one reads the page,
-- the next one writes, with what the client remembers.  Only the second one is update_page here:
-- it looks at no page, so two edits of one page do not depend on each other, unlike in our own
-- examples/apps/wikipedia.  Author 0 is a stranger, whose edits nobody counts.

CREATE TABLE useracct (
  user_id        int PRIMARY KEY,
  user_name      varchar(255) NOT NULL,
  user_touched   timestamp NOT NULL,
  user_editcount int NOT NULL
);

CREATE TABLE ipblocks (
  ipb_id      int PRIMARY KEY,
  ipb_address varchar(40),
  ipb_user    int
);

CREATE TABLE page (
  page_id      int PRIMARY KEY,
  page_title   varchar(255) NOT NULL,
  page_latest  int NOT NULL,
  page_touched timestamp NOT NULL,
  page_len     int NOT NULL
);

CREATE TABLE text (
  old_id   int PRIMARY KEY,
  old_page int NOT NULL,
  old_text varchar(10000) NOT NULL
);

CREATE TABLE revision (
  rev_id      int PRIMARY KEY,
  rev_page    int NOT NULL,
  rev_text_id int NOT NULL,
  rev_user    int NOT NULL,
  rev_len     int NOT NULL
);

CREATE TABLE recentchanges (
  rc_id   int PRIMARY KEY,
  rc_user int NOT NULL,
  rc_page int NOT NULL
);

CREATE TABLE logging (
  log_id   int PRIMARY KEY,
  log_user int NOT NULL,
  log_page int NOT NULL
);

CREATE TABLE watchlist (
  wl_user     int NOT NULL,
  wl_title    varchar(255) NOT NULL,
  wl_notified timestamp,
  PRIMARY KEY (wl_user, wl_title)
);

CREATE FUNCTION get_page_anonymous(title varchar, address varchar) RETURNS varchar LANGUAGE plpgsql AS $$
DECLARE
  wanted int;
  latest int;
  body_id int;
  body   varchar;
BEGIN
  SELECT page_id INTO wanted FROM page WHERE page_title = title;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no page %', title;
  END IF;
  PERFORM 1 FROM ipblocks WHERE ipb_address = address;
  SELECT page_latest INTO STRICT latest FROM page WHERE page_id = wanted;
  SELECT rev_text_id INTO body_id FROM revision WHERE rev_id = latest;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no revision %', latest;
  END IF;
  SELECT old_text INTO body FROM text WHERE old_id = body_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no text %', body_id;
  END IF;
  RETURN body;
END $$;

CREATE FUNCTION get_page_authenticated(title varchar, reader int) RETURNS varchar LANGUAGE plpgsql AS $$
DECLARE
  wanted int;
  latest int;
  body_id int;
  body   varchar;
  reader_name varchar(255);
BEGIN
  SELECT user_name INTO STRICT reader_name FROM useracct WHERE user_id = reader;
  SELECT page_id INTO wanted FROM page WHERE page_title = title;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no page %', title;
  END IF;
  PERFORM 1 FROM ipblocks WHERE ipb_user = reader;
  SELECT page_latest INTO STRICT latest FROM page WHERE page_id = wanted;
  SELECT rev_text_id INTO body_id FROM revision WHERE rev_id = latest;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no revision %', latest;
  END IF;
  SELECT old_text INTO body FROM text WHERE old_id = body_id;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no text %', body_id;
  END IF;
  RETURN body;
END $$;

CREATE PROCEDURE add_watch_list(watcher int, title varchar, at timestamp) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO watchlist VALUES (watcher, title, NULL) ON CONFLICT DO NOTHING;
  UPDATE useracct SET user_touched = at WHERE user_id = watcher;
END $$;

CREATE PROCEDURE remove_watch_list(watcher int, title varchar, at timestamp) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM watchlist WHERE wl_user = watcher AND wl_title = title;
  UPDATE useracct SET user_touched = at WHERE user_id = watcher;
END $$;

-- Revision, text, change and log entry have one number.
CREATE PROCEDURE update_page(
  id int, edited int, title varchar, body varchar, author int, at timestamp
) LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO text VALUES (id, edited, body);
  INSERT INTO revision VALUES (id, edited, id, author, length(body));
  UPDATE page SET page_latest = id, page_touched = at, page_len = length(body) WHERE page_id = edited;
  INSERT INTO recentchanges VALUES (id, author, edited);
  UPDATE watchlist SET wl_notified = at
  WHERE wl_title = title AND wl_user <> author AND wl_notified IS NULL;
  INSERT INTO logging VALUES (id, author, edited);
  UPDATE useracct SET user_editcount = user_editcount + 1 WHERE user_id = author;
  UPDATE useracct SET user_touched = at WHERE user_id = author;
END $$;
