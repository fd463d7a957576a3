-- SPDX-License-Identifier: MIT
-- Twitter: users follow each other, publish, and read what those they follow publish.
--
-- The benchmark of OLTP-Bench (Difallah et al., VLDB 2013), as Bouajjani et al., PLDI 2023,
-- use it; who follows whom is stored from both sides.  The counter of followers
-- is ours: real sites have one.
-- What can go wrong: two new followers at once, and the counter counts one of them (lost
-- update: allowed below PSI); someone follows and unfollows, and below RA the two sides
-- differ; a timeline shows an answer and not the question (only below CC).

CREATE TABLE user_profiles (
  uid       int PRIMARY KEY,
  name      varchar(255) NOT NULL,
  followers int NOT NULL DEFAULT 0
);

CREATE TABLE follows (
  follower int NOT NULL REFERENCES user_profiles (uid),
  followed int NOT NULL REFERENCES user_profiles (uid),
  PRIMARY KEY (follower, followed)
);

CREATE TABLE followers (
  followed int NOT NULL REFERENCES user_profiles (uid),
  follower int NOT NULL REFERENCES user_profiles (uid),
  PRIMARY KEY (followed, follower)
);

CREATE TABLE tweets (
  id        bigint PRIMARY KEY,
  uid       int NOT NULL REFERENCES user_profiles (uid),
  text      varchar(140) NOT NULL,
  published timestamp NOT NULL
);

CREATE PROCEDURE follow(who int, whom int) LANGUAGE plpgsql AS $$
BEGIN
  IF who = whom THEN
    RAISE EXCEPTION 'user % cannot follow himself', who;
  END IF;
  INSERT INTO follows (follower, followed) VALUES (who, whom);
  INSERT INTO followers (followed, follower) VALUES (whom, who);
  UPDATE user_profiles SET followers = followers + 1 WHERE uid = whom;
END $$;

CREATE PROCEDURE unfollow(who int, whom int) LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM followers WHERE followed = whom AND follower = who;
  DELETE FROM follows WHERE follower = who AND followed = whom;
  IF FOUND THEN
    UPDATE user_profiles SET followers = followers - 1 WHERE uid = whom;
  END IF;
END $$;

CREATE PROCEDURE publish_tweet(tweet_id bigint, author int, message varchar, at timestamp)
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO tweets VALUES (tweet_id, author, message, at);
END $$;

-- The latest of a user's tweets.
CREATE FUNCTION get_tweets(author int) RETURNS varchar LANGUAGE plpgsql AS $$
DECLARE
  t      record;
  latest varchar := '';
BEGIN
  FOR t IN
    SELECT text FROM tweets WHERE uid = author ORDER BY published DESC, id DESC LIMIT 10
  LOOP
    latest := latest || t.text || E'\n';
  END LOOP;
  RETURN latest;
END $$;

CREATE FUNCTION get_followers(whom int) RETURNS varchar LANGUAGE plpgsql AS $$
DECLARE
  f     record;
  names varchar := '';
BEGIN
  FOR f IN
    SELECT p.name FROM followers r JOIN user_profiles p ON p.uid = r.follower
    WHERE r.followed = whom ORDER BY p.name, p.uid LIMIT 20
  LOOP
    names := names || f.name || ' ';
  END LOOP;
  RETURN names;
END $$;

-- The latest tweets of those that a user follows.
CREATE FUNCTION get_timeline(reader int) RETURNS varchar LANGUAGE plpgsql AS $$
DECLARE
  t      record;
  latest varchar := '';
BEGIN
  FOR t IN
    SELECT tweets.text FROM follows JOIN tweets ON tweets.uid = follows.followed
    WHERE follows.follower = reader ORDER BY tweets.published DESC, tweets.id DESC LIMIT 20
  LOOP
    latest := latest || t.text || E'\n';
  END LOOP;
  RETURN latest;
END $$;
