CREATE TABLE account (id int PRIMARY KEY, owner text, balance int NOT NULL, UNIQUE (owner));
CREATE TABLE "Entry" (
  id int PRIMARY KEY,
  account int REFERENCES account ON DELETE CASCADE ON UPDATE NO ACTION,
  owner text DEFAULT 'bank' REFERENCES account (owner) ON UPDATE SET DEFAULT ON DELETE SET NULL,
  other int REFERENCES account ON DELETE SET DEFAULT ON UPDATE CASCADE,
  third int REFERENCES account ON DELETE RESTRICT ON UPDATE SET NULL
);
CREATE PROCEDURE rows(a int) LANGUAGE plpgsql AS $$
DECLARE
  n int;
  r record;
BEGIN
  SELECT balance INTO n FROM account WHERE id = a FOR UPDATE;
  SELECT balance INTO n FROM account WHERE id = a FOR NO KEY UPDATE NOWAIT;
  SELECT balance INTO n FROM account WHERE id = a FOR SHARE SKIP LOCKED;
  PERFORM 1 FROM account x, "Entry" e WHERE e.account = x.id AND x.id = a FOR KEY SHARE;
  PERFORM 1 FROM account x, "Entry" WHERE "Entry".account = x.id FOR UPDATE OF "Entry" NOWAIT;
  -- Of two clauses for one table the stronger lock and the shorter wait count.
  PERFORM 1 FROM account x, "Entry" e FOR SHARE OF x, e SKIP LOCKED FOR UPDATE OF x NOWAIT;
  PERFORM 1 FROM account x LEFT JOIN "Entry" e ON e.account = x.id FOR UPDATE OF x;
  SELECT substring(owner FROM 1 FOR 2), balance INTO r FROM account FOR SHARE;
  FOR r IN SELECT id FROM account ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED LOOP
    n := r.id;
  END LOOP;
  n := (SELECT balance FROM account WHERE id = a FOR KEY SHARE);
END $$;
CREATE PROCEDURE tables() LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE account;
  LOCK account IN ACCESS SHARE MODE;
  LOCK TABLE ONLY account, "Entry" IN ROW SHARE MODE NOWAIT;
  LOCK TABLE account IN ROW EXCLUSIVE MODE;
  LOCK TABLE account IN SHARE UPDATE EXCLUSIVE MODE;
  LOCK TABLE account IN SHARE MODE;
  LOCK TABLE account IN SHARE ROW EXCLUSIVE MODE;
  LOCK TABLE account IN EXCLUSIVE MODE;
  LOCK TABLE account IN ACCESS EXCLUSIVE MODE NOWAIT;
END $$;
CREATE FUNCTION numbers(k bigint, i int) RETURNS bool LANGUAGE plpgsql AS $$
DECLARE
  got bool := pg_try_advisory_lock(0);
  r record;
BEGIN
  PERFORM pg_advisory_lock(k);
  PERFORM pg_advisory_lock(i, 2);
  PERFORM pg_advisory_lock_shared(-5);
  PERFORM pg_catalog.pg_advisory_xact_lock(k + 1);
  PERFORM pg_advisory_xact_lock_shared(i);
  SELECT pg_try_advisory_lock(k) INTO got;
  SELECT pg_try_advisory_lock_shared(k) AS taken INTO r;
  got := pg_try_advisory_xact_lock(k) OR got;
  IF NOT pg_try_advisory_xact_lock_shared(i, i) THEN
    RETURN FOUND;
  END IF;
  WHILE pg_advisory_unlock(k) LOOP
    PERFORM pg_advisory_unlock_shared(k);
  END LOOP;
  PERFORM pg_advisory_unlock_all();
  RETURN pg_try_advisory_lock(k);
END $$;
CREATE PROCEDURE in_sql(k int) LANGUAGE sql AS $$
  LOCK TABLE account IN SHARE MODE;
  SELECT pg_advisory_xact_lock(k);
  SELECT id FROM account FOR UPDATE NOWAIT;
$$;
CREATE PROCEDURE inlined() LANGUAGE plpgsql AS $$
BEGIN
  PERFORM numbers(3, 4);
END $$;
