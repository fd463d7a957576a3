-- Unique indexes of some rows and of expressions, and constraints that are checked late.
CREATE TABLE page (number int CONSTRAINT page_number PRIMARY KEY DEFERRABLE, words int);
CREATE TABLE account (
  id int PRIMARY KEY,
  code int UNIQUE DEFERRABLE INITIALLY DEFERRED,
  holder text UNIQUE,
  is_open bool,
  parent int CONSTRAINT tree REFERENCES account INITIALLY DEFERRED,
  CONSTRAINT code_and_holder UNIQUE (code, holder) DEFERRABLE
);
CREATE UNIQUE INDEX account_open ON account (parent) WHERE is_open AND code > 0;
CREATE UNIQUE INDEX ON account (lower(holder), id);
CREATE UNIQUE INDEX by_words ON page (words);
CREATE PROCEDURE p(c int) LANGUAGE plpgsql AS $$
BEGIN
  SET CONSTRAINTS code_and_holder, tree DEFERRED;
  INSERT INTO account VALUES (1, c, 'Ann', true, NULL)
    ON CONFLICT (parent) WHERE is_open AND code > 0 AND id = 1 DO NOTHING;
  INSERT INTO account VALUES (1, c, 'Ann', true, NULL)
    ON CONFLICT (lower(holder), id) DO UPDATE SET code = account.code + excluded.code;
  SET CONSTRAINTS ALL IMMEDIATE;
END $$;
CREATE PROCEDURE q() LANGUAGE sql AS $$
  SET CONSTRAINTS account_code_key IMMEDIATE;
$$;
