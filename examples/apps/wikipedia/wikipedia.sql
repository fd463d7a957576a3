-- SPDX-License-Identifier: MIT
-- Wikipedia: reading pages, watching them, editing them.
--
-- The benchmark of OLTP-Bench (Difallah et al., VLDB 2013), which follows MediaWiki's
-- tables and queries.  Identifiers and times are inputs of the calls.
-- What can go wrong: two edits start from the same revision, and one of them vanishes
-- from the page's latest text (lost update: allowed below PSI); an edit that does not see
-- a new watcher does not notify him (write skew: allowed below SER); a reader who sees
-- half an edit finds a page whose latest revision has no text (only below RA).

CREATE TABLE useracct (
  user_id        int PRIMARY KEY,
  user_name      varchar(255) NOT NULL,
  user_touched   timestamp NOT NULL,
  user_editcount int NOT NULL DEFAULT 0
);

CREATE TABLE user_groups (
  ug_user  int NOT NULL REFERENCES useracct (user_id),
  ug_group varchar(16) NOT NULL,
  PRIMARY KEY (ug_user, ug_group)
);

CREATE TABLE ipblocks (
  ipb_id      int PRIMARY KEY,
  ipb_address varchar(40),
  ipb_user    int,
  ipb_reason  varchar(255) NOT NULL
);

CREATE TABLE page (
  page_id        int PRIMARY KEY,
  page_namespace int NOT NULL,
  page_title     varchar(255) NOT NULL,
  page_latest    int NOT NULL,
  page_touched   timestamp NOT NULL,
  page_len       int NOT NULL,
  UNIQUE (page_namespace, page_title)
);

CREATE TABLE page_restrictions (
  pr_page  int NOT NULL,
  pr_type  varchar(60) NOT NULL,
  pr_level varchar(60) NOT NULL,
  PRIMARY KEY (pr_page, pr_type)
);

CREATE TABLE text (
  old_id   int PRIMARY KEY,
  old_page int NOT NULL,
  old_text varchar(10000) NOT NULL
);

CREATE TABLE revision (
  rev_id        int PRIMARY KEY,
  rev_page      int NOT NULL,
  rev_text_id   int NOT NULL,
  rev_comment   varchar(255) NOT NULL,
  rev_user      int NOT NULL,
  rev_timestamp timestamp NOT NULL,
  rev_len       int NOT NULL,
  rev_parent_id int
);

CREATE TABLE recentchanges (
  rc_id        int PRIMARY KEY,
  rc_timestamp timestamp NOT NULL,
  rc_user      int NOT NULL,
  rc_page      int NOT NULL,
  rc_this_oldid int NOT NULL,
  rc_last_oldid int NOT NULL,
  rc_old_len   int NOT NULL,
  rc_new_len   int NOT NULL
);

CREATE TABLE logging (
  log_id        int PRIMARY KEY,
  log_type      varchar(32) NOT NULL,
  log_timestamp timestamp NOT NULL,
  log_user      int NOT NULL,
  log_page      int NOT NULL
);

CREATE TABLE watchlist (
  wl_user      int NOT NULL REFERENCES useracct (user_id),
  wl_namespace int NOT NULL,
  wl_title     varchar(255) NOT NULL,
  wl_notified  timestamp,
  PRIMARY KEY (wl_user, wl_namespace, wl_title)
);

-- The latest text of a page, for a reader who is known by an address only.
CREATE FUNCTION get_page_anonymous(ns int, title varchar, address varchar)
RETURNS varchar LANGUAGE plpgsql AS $$
DECLARE
  page_found  int;
  latest      record;
  body        varchar;
BEGIN
  SELECT page_id INTO page_found FROM page WHERE page_namespace = ns AND page_title = title;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no page % in namespace %', title, ns;
  END IF;
  IF EXISTS (SELECT 1 FROM page_restrictions WHERE pr_page = page_found AND pr_type = 'read') THEN
    RAISE EXCEPTION 'page % is for members', title;
  END IF;
  IF EXISTS (SELECT 1 FROM ipblocks WHERE ipb_address = address) THEN
    RAISE EXCEPTION 'address % is blocked', address;
  END IF;
  SELECT rev_id, rev_text_id INTO latest
  FROM page JOIN revision ON rev_page = page_id AND rev_id = page_latest
  WHERE page_id = page_found;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'page % has no latest revision', title;
  END IF;
  SELECT old_text INTO body FROM text WHERE old_id = latest.rev_text_id;
  ASSERT FOUND, 'a revision has no text';
  RETURN body;
END $$;

-- The same for a member, whose groups decide what restricted pages open.  The two end alike, as in
-- the benchmark, where each is a transaction of its own.
CREATE FUNCTION get_page_authenticated(ns int, title varchar, reader int)
RETURNS varchar LANGUAGE plpgsql AS $$
DECLARE
  page_found  int;
  reader_name varchar(255);
  latest      record;
  body        varchar;
BEGIN
  SELECT user_name INTO STRICT reader_name FROM useracct WHERE user_id = reader;
  SELECT page_id INTO page_found FROM page WHERE page_namespace = ns AND page_title = title;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no page % in namespace %', title, ns;
  END IF;
  IF EXISTS (
    SELECT 1 FROM page_restrictions
    WHERE pr_page = page_found AND pr_type = 'read'
      AND pr_level NOT IN (SELECT ug_group FROM user_groups WHERE ug_user = reader)
  ) THEN
    RAISE EXCEPTION 'page % is not for %', title, reader_name;
  END IF;
  IF EXISTS (SELECT 1 FROM ipblocks WHERE ipb_user = reader) THEN
    RAISE EXCEPTION '% is blocked', reader_name;
  END IF;
  SELECT rev_id, rev_text_id INTO latest
  FROM page JOIN revision ON rev_page = page_id AND rev_id = page_latest
  WHERE page_id = page_found;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'page % has no latest revision', title;
  END IF;
  SELECT old_text INTO body FROM text WHERE old_id = latest.rev_text_id;
  ASSERT FOUND, 'a revision has no text';
  RETURN body;
END $$;

-- Watching an article (namespace 0) is watching its talk page (namespace 1) too.
CREATE PROCEDURE add_watch_list(watcher int, ns int, title varchar, at timestamp)
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO watchlist VALUES (watcher, ns, title, NULL) ON CONFLICT DO NOTHING;
  IF ns = 0 THEN
    INSERT INTO watchlist VALUES (watcher, 1, title, NULL) ON CONFLICT DO NOTHING;
  END IF;
  UPDATE useracct SET user_touched = at WHERE user_id = watcher;
END $$;

CREATE PROCEDURE remove_watch_list(watcher int, ns int, title varchar, at timestamp)
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM watchlist WHERE wl_user = watcher AND wl_namespace = ns AND wl_title = title;
  IF ns = 0 THEN
    DELETE FROM watchlist WHERE wl_user = watcher AND wl_namespace = 1 AND wl_title = title;
  END IF;
  UPDATE useracct SET user_touched = at WHERE user_id = watcher;
END $$;

-- Saves a new text as revision `id` of the page, and notifies who watches it.  The text,
-- the change and the log entry have the revision's number.
CREATE PROCEDURE update_page(
  id int, ns int, title varchar, body varchar, author int, summary varchar, at timestamp
) LANGUAGE plpgsql AS $$
DECLARE
  p record;
  w record;
BEGIN
  SELECT page_id, page_latest, page_len INTO p
  FROM page WHERE page_namespace = ns AND page_title = title;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no page % in namespace %', title, ns;
  END IF;
  INSERT INTO text VALUES (id, p.page_id, body);
  INSERT INTO revision
  VALUES (id, p.page_id, id, summary, author, at, length(body), p.page_latest);
  UPDATE page SET page_latest = id, page_touched = at, page_len = length(body)
  WHERE page_id = p.page_id;
  INSERT INTO recentchanges
  VALUES (id, at, author, p.page_id, id, p.page_latest, p.page_len, length(body));
  FOR w IN
    SELECT wl_user FROM watchlist
    WHERE wl_namespace = ns AND wl_title = title AND wl_user <> author AND wl_notified IS NULL
    ORDER BY wl_user
  LOOP
    UPDATE watchlist SET wl_notified = at
    WHERE wl_user = w.wl_user AND wl_namespace = ns AND wl_title = title;
  END LOOP;
  INSERT INTO logging VALUES (id, 'patrol', at, author, p.page_id);
  UPDATE useracct SET user_editcount = user_editcount + 1, user_touched = at
  WHERE user_id = author;
END $$;
