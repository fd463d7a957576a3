-- Random changes under constraints (seed 1).
CREATE TABLE p (id int PRIMARY KEY, u int UNIQUE, v int NOT NULL DEFAULT 1 CHECK (v < 50));
CREATE TABLE c (a int, b int, p int REFERENCES p (id), w numeric(5,2), PRIMARY KEY (a, b), CHECK (a + b < 12));
CREATE FUNCTION dump() RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; s text := '';
BEGIN
  FOR r IN SELECT id, u, v FROM p ORDER BY id LOOP s := s || r.id || ':' || COALESCE(r.u, -1) || ':' || r.v || ' '; END LOOP;
  s := s || '|';
  FOR r IN SELECT a, b, p, w FROM c ORDER BY a, b LOOP s := s || ' ' || r.a || '/' || r.b || ':' || COALESCE(r.p, -1) || ':' || COALESCE(r.w, 0); END LOOP;
  RETURN s;
END $$;
CREATE FUNCTION f0(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, NULL, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f1(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = 3 AND b = x RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f2(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, x, id FROM p WHERE v > 0 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; INSERT INTO p VALUES (5, 3, 60); UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = x + 1; RETURN n; END $$;
CREATE FUNCTION f3(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (x, x) ON CONFLICT (u) DO NOTHING; IF FOUND THEN n := n + 1; END IF; DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = x + 1; INSERT INTO p VALUES (x + 1, NULL, x); RETURN n; END $$;
CREATE FUNCTION f4(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (x + 1, 2) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; INSERT INTO p VALUES (x + 1, 1, 60); RETURN n; END $$;
CREATE FUNCTION f5(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = 2; UPDATE c SET b = b + 7 WHERE a = 6 AND b = 6 RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f6(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x, NULL, DEFAULT); UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = 0; RETURN n; END $$;
CREATE FUNCTION f7(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (4, x, 0, 1.255) ON CONFLICT DO NOTHING; DELETE FROM c WHERE a = 1 AND b = 4; UPDATE p SET v = v * x + 1 WHERE v > x; RETURN n; END $$;
CREATE FUNCTION f8(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET v = v + 5 WHERE v > 0; RETURN n; END $$;
CREATE FUNCTION f9(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE id = 6; INSERT INTO p VALUES (x, x + 1, 60); INSERT INTO p VALUES (2, NULL, 2); RETURN n; END $$;
CREATE FUNCTION f10(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (6, 3, x); INSERT INTO c VALUES (x + 1, x + 1, NULL, x) ON CONFLICT DO NOTHING; INSERT INTO p VALUES (x + 1, 0, NULL); RETURN n; END $$;
CREATE FUNCTION f11(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (2, x, x + 1, 1.255) ON CONFLICT DO NOTHING; INSERT INTO p VALUES (1, NULL, NULL); RETURN n; END $$;
CREATE FUNCTION f12(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET id = 2 WHERE id = x + 1; INSERT INTO p (id, u, v) VALUES (4, NULL, x + 1) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; RETURN n; END $$;
CREATE FUNCTION f13(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (x, NULL, x + 1) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; INSERT INTO c (a, b, p) SELECT id, x, id FROM p WHERE v > 2 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f14(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET v = v + x WHERE id < 0; INSERT INTO c (a, b, p) SELECT id, x + 1, id FROM p WHERE v > x + 1 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f15(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, 1, id FROM p WHERE v > x ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f16(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET v = v * 3 WHERE v > x; UPDATE c SET b = b + 7 WHERE a = 2 AND b = x + 1 RETURNING a INTO n; INSERT INTO p (id, u) VALUES (x + 1, x) ON CONFLICT DO NOTHING; IF FOUND THEN n := n + 1; END IF; RETURN n; END $$;
CREATE FUNCTION f17(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (1, x, x + 1, NULL) ON CONFLICT DO NOTHING; INSERT INTO c (a, b, p) SELECT id, 3, id FROM p WHERE v > x ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; UPDATE p SET u = u + 10 WHERE id = 4; RETURN n; END $$;
CREATE FUNCTION f18(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, 6, id FROM p WHERE v > x ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f19(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (5, NULL, 3); UPDATE p SET id = 4 WHERE id = 6; INSERT INTO p (id, u, v) VALUES (x, NULL, x) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; RETURN n; END $$;
CREATE FUNCTION f20(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (4, NULL, 2) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; RETURN n; END $$;
CREATE FUNCTION f21(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = 6; INSERT INTO p VALUES (x + 1, NULL, 60); RETURN n; END $$;
CREATE FUNCTION f22(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > x + 1; INSERT INTO p VALUES (x, 1, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f23(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = 1 AND b = 1 RETURNING a INTO n; INSERT INTO c VALUES (x + 1, 5, NULL, 999.999) ON CONFLICT DO NOTHING; DELETE FROM p WHERE id = x; RETURN n; END $$;
CREATE FUNCTION f24(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = x; UPDATE c SET p = a, w = COALESCE(w, 1) / 3 WHERE a = 0; UPDATE c SET b = b + 7 WHERE a = x AND b = 3 RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f25(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = x AND b = 4 RETURNING a INTO n; INSERT INTO p VALUES (x, x, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f26(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = x + 1 AND b = x + 1 RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f27(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > x + 1; RETURN n; END $$;
CREATE FUNCTION f28(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = u + 10 WHERE id = 0; RETURN n; END $$;
CREATE FUNCTION f29(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE w > 2; UPDATE p SET v = v * 6 WHERE id < 3; UPDATE p SET u = 6 WHERE id = 4; RETURN n; END $$;
CREATE FUNCTION f30(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = 6 WHERE id = x; DELETE FROM p WHERE id = x; INSERT INTO p (id, u) VALUES (x + 1, x + 1) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; RETURN n; END $$;
CREATE FUNCTION f31(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > x + 1; INSERT INTO c VALUES (x, 4, NULL, 999.999) ON CONFLICT DO NOTHING; DELETE FROM c WHERE w > 3; RETURN n; END $$;
CREATE FUNCTION f32(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (5, NULL, 6); UPDATE c SET p = a, w = COALESCE(w, 1) / 3 WHERE a = 2; DELETE FROM c WHERE p = 0; RETURN n; END $$;
CREATE FUNCTION f33(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (5, x + 1, NULL, 999.999) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f34(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (x, x, 3, NULL) ON CONFLICT DO NOTHING; UPDATE p SET v = v - 5 WHERE id < x; UPDATE p SET v = v * 5 WHERE id = x + 1; RETURN n; END $$;
CREATE FUNCTION f35(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (x + 1, 5, x + 1, 999.999) ON CONFLICT DO NOTHING; INSERT INTO p (id, u, v) VALUES (x, NULL, x + 1) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; INSERT INTO p (id, u) VALUES (x, 0) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; RETURN n; END $$;
CREATE FUNCTION f36(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > 1; INSERT INTO p VALUES (6, NULL, x); RETURN n; END $$;
CREATE FUNCTION f37(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (x + 1, x + 1, 6, 999.999) ON CONFLICT DO NOTHING; UPDATE p SET u = x + 1 WHERE id = x; UPDATE p SET id = 3 WHERE id = 1; RETURN n; END $$;
CREATE FUNCTION f38(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x, x, 1); RETURN n; END $$;
CREATE FUNCTION f39(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = 1 AND b = x RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f40(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x, 0, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f41(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (3, 2, NULL, NULL) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f42(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, 0, id FROM p WHERE v > 2 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; UPDATE c SET p = a, w = COALESCE(w, 1) / 3 WHERE a = 4; RETURN n; END $$;
CREATE FUNCTION f43(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET v = v * 4 WHERE id = 2; INSERT INTO p VALUES (x + 1, NULL, DEFAULT); INSERT INTO p (id, u, v) VALUES (x + 1, NULL, x) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; RETURN n; END $$;
CREATE FUNCTION f44(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET id = 0 WHERE id = 6; UPDATE p SET v = v - x WHERE id IN (SELECT p FROM c); RETURN n; END $$;
CREATE FUNCTION f45(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (x + 1, 4, x + 1, NULL) ON CONFLICT DO NOTHING; INSERT INTO c VALUES (x + 1, 4, 2, 1.255) ON CONFLICT DO NOTHING; UPDATE p SET u = NULL WHERE id = x; RETURN n; END $$;
CREATE FUNCTION f46(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET id = 5 WHERE id = 0; UPDATE p SET id = x WHERE id = x + 1; RETURN n; END $$;
CREATE FUNCTION f47(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > x + 1; INSERT INTO p VALUES (4, NULL, NULL); RETURN n; END $$;
CREATE FUNCTION f48(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = a, w = COALESCE(w, 1) / 3 WHERE a = 4; INSERT INTO p VALUES (2, 4, 6); UPDATE p SET v = v * x WHERE id IN (SELECT p FROM c); RETURN n; END $$;
CREATE FUNCTION f49(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, x, 60); DELETE FROM p WHERE id = x; RETURN n; END $$;
CREATE FUNCTION f50(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = 4; DELETE FROM p WHERE id = x + 1; RETURN n; END $$;
CREATE FUNCTION f51(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (x, x) ON CONFLICT (u) DO NOTHING; IF FOUND THEN n := n + 1; END IF; DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = x; UPDATE p SET u = u + 10 WHERE id = 4; RETURN n; END $$;
CREATE FUNCTION f52(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (3, NULL, 5); INSERT INTO p VALUES (x + 1, NULL, NULL); RETURN n; END $$;
CREATE FUNCTION f53(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE p = x; UPDATE p SET v = v * x + 1 WHERE v > x + 1; RETURN n; END $$;
CREATE FUNCTION f54(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE id = 0; INSERT INTO p (id, u) VALUES (x + 1, x + 1) ON CONFLICT (u) DO NOTHING; IF FOUND THEN n := n + 1; END IF; INSERT INTO c VALUES (6, 3, NULL, 1.255) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f55(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (x + 1, 6) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; UPDATE p SET v = v + 3 WHERE id IN (SELECT p FROM c); SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > x + 1; RETURN n; END $$;
CREATE FUNCTION f56(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (4, NULL, x) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v; RETURN n; END $$;
CREATE FUNCTION f57(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = u + 10 WHERE id = x + 1; INSERT INTO p (id, u) VALUES (x, 5) ON CONFLICT (u) DO NOTHING; IF FOUND THEN n := n + 1; END IF; DELETE FROM c WHERE a = 2; RETURN n; END $$;
CREATE FUNCTION f58(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (x, NULL, x) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v; SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > x + 1; INSERT INTO c (a, b, p) SELECT id, 1, id FROM p WHERE v > x + 1 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f59(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (x, NULL, 5) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; UPDATE p SET id = x + 1 WHERE id = 0; INSERT INTO p (id, u, v) VALUES (2, NULL, 0) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; RETURN n; END $$;
CREATE FUNCTION f60(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (4, x) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; UPDATE p SET id = 0 WHERE id = 2; INSERT INTO p VALUES (x, NULL, x + 1); RETURN n; END $$;
CREATE FUNCTION f61(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET id = 2 WHERE id = 6; RETURN n; END $$;
CREATE FUNCTION f62(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (2, NULL, NULL); INSERT INTO p VALUES (x + 1, 5, x); UPDATE p SET id = 2 WHERE id = x; RETURN n; END $$;
CREATE FUNCTION f63(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, NULL, 60); INSERT INTO p VALUES (4, NULL, NULL); RETURN n; END $$;
CREATE FUNCTION f64(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET v = v * 3 WHERE id IN (SELECT p FROM c); INSERT INTO p VALUES (x + 1, 1, DEFAULT); UPDATE p SET id = 2 WHERE id = x + 1; RETURN n; END $$;
CREATE FUNCTION f65(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = 4 AND b = 2 RETURNING a INTO n; INSERT INTO p VALUES (5, NULL, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f66(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = x + 1, w = COALESCE(w, 1) / 3 WHERE a = 0; INSERT INTO p VALUES (6, NULL, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f67(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, 4, id FROM p WHERE v > x ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; INSERT INTO c VALUES (0, x + 1, x, x) ON CONFLICT DO NOTHING; DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = x; RETURN n; END $$;
CREATE FUNCTION f68(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, 4, id FROM p WHERE v > 0 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; INSERT INTO c VALUES (x + 1, 2, x + 1, x) ON CONFLICT DO NOTHING; INSERT INTO c VALUES (5, x, NULL, x) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f69(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > x + 1; INSERT INTO p (id, u) VALUES (x, 1) ON CONFLICT DO NOTHING; IF FOUND THEN n := n + 1; END IF; RETURN n; END $$;
CREATE FUNCTION f70(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = 0; UPDATE c SET b = b + 7 WHERE a = x AND b = 1 RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f71(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (3, x + 1, DEFAULT); INSERT INTO c VALUES (x, 5, 4, x) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f72(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, 1, 60); UPDATE c SET b = b + 7 WHERE a = 6 AND b = 4 RETURNING a INTO n; UPDATE c SET b = b + 7 WHERE a = 0 AND b = x + 1 RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f73(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, 6, id FROM p WHERE v > x + 1 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f74(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = x; DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = 3; RETURN n; END $$;
CREATE FUNCTION f75(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = x, w = COALESCE(w, 1) / 3 WHERE a = 6; UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = x + 1; RETURN n; END $$;
CREATE FUNCTION f76(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE p = x + 1; INSERT INTO c VALUES (0, 1, NULL, x) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f77(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (4, NULL, 5) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; UPDATE c SET b = b + 7 WHERE a = 2 AND b = x + 1 RETURNING a INTO n; UPDATE c SET p = 6, w = COALESCE(w, 1) / 3 WHERE a = 5; RETURN n; END $$;
CREATE FUNCTION f78(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > x; INSERT INTO c VALUES (5, 2, NULL, 1.255) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f79(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET id = 6 WHERE id = 5; RETURN n; END $$;
CREATE FUNCTION f80(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE id = 4; RETURN n; END $$;
CREATE FUNCTION f81(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (3, x, 5, x) ON CONFLICT DO NOTHING; SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > 0; INSERT INTO c (a, b, p) SELECT id, x, id FROM p WHERE v > x + 1 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f82(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET v = v - 5 WHERE id IN (SELECT p FROM c); UPDATE p SET id = 1 WHERE id = 5; RETURN n; END $$;
CREATE FUNCTION f83(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE a = 1; INSERT INTO c VALUES (x, 3, x + 1, x) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f84(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = NULL WHERE id = x + 1; INSERT INTO p VALUES (x, x, DEFAULT); UPDATE c SET b = b + 7 WHERE a = 4 AND b = 4 RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f85(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x, NULL, x + 1); RETURN n; END $$;
CREATE FUNCTION f86(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE w > x + 1; UPDATE p SET id = x WHERE id = 0; INSERT INTO c (a, b, p) SELECT id, x, id FROM p WHERE v > x ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f87(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (5, 2, 60); INSERT INTO c VALUES (x + 1, x, 6, NULL) ON CONFLICT DO NOTHING; UPDATE p SET id = 6 WHERE id = x; RETURN n; END $$;
CREATE FUNCTION f88(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, NULL, 1); INSERT INTO p (id, u, v) VALUES (4, NULL, x + 1) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; INSERT INTO p VALUES (x, x, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f89(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (2, 0, 6, 999.999) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f90(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE p = x; RETURN n; END $$;
CREATE FUNCTION f91(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > 0; INSERT INTO p (id, u) VALUES (x + 1, x) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; INSERT INTO p VALUES (3, NULL, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f92(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET v = v * x WHERE id IN (SELECT p FROM c); RETURN n; END $$;
CREATE FUNCTION f93(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE a = 2; RETURN n; END $$;
CREATE FUNCTION f94(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (2, 2) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; UPDATE c SET b = b + 7 WHERE a = x AND b = 2 RETURNING a INTO n; INSERT INTO c VALUES (x, 0, NULL, NULL) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f95(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (5, NULL, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f96(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (3, 1, NULL, 999.999) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f97(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (x, NULL, x) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v; SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > 5; UPDATE c SET p = a, w = COALESCE(w, 1) / 3 WHERE a = 3; RETURN n; END $$;
CREATE FUNCTION f98(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = NULL WHERE id = x; INSERT INTO p VALUES (5, NULL, 6); INSERT INTO p (id, u) VALUES (4, 1) ON CONFLICT DO NOTHING; IF FOUND THEN n := n + 1; END IF; RETURN n; END $$;
CREATE FUNCTION f99(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, 5, NULL); RETURN n; END $$;
CREATE FUNCTION f100(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (0, NULL, 60); INSERT INTO c VALUES (1, x + 1, NULL, 1.255) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f101(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (4, 1, x, 1.255) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f102(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (x + 1, NULL, 1) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v; UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = 6; RETURN n; END $$;
CREATE FUNCTION f103(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (0, 0, NULL, NULL) ON CONFLICT DO NOTHING; DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = 2; UPDATE c SET p = a, w = COALESCE(w, 1) / 3 WHERE a = x + 1; RETURN n; END $$;
CREATE FUNCTION f104(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > 1; RETURN n; END $$;
CREATE FUNCTION f105(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, NULL, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f106(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = x; INSERT INTO p (id, u, v) VALUES (x, NULL, 1) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; RETURN n; END $$;
CREATE FUNCTION f107(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (1, NULL, x) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = x; RETURN n; END $$;
CREATE FUNCTION f108(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = 0; RETURN n; END $$;
CREATE FUNCTION f109(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (3, 5, NULL, NULL) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f110(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (1, 4) ON CONFLICT DO NOTHING; IF FOUND THEN n := n + 1; END IF; INSERT INTO c (a, b, p) SELECT id, x, id FROM p WHERE v > x + 1 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f111(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = 5; RETURN n; END $$;
CREATE FUNCTION f112(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (x, 2) ON CONFLICT DO NOTHING; IF FOUND THEN n := n + 1; END IF; RETURN n; END $$;
CREATE FUNCTION f113(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, NULL, 60); RETURN n; END $$;
CREATE FUNCTION f114(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (1, 1, NULL); INSERT INTO c VALUES (x, 4, 5, x) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f115(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (2, 4, x + 1, 1.255) ON CONFLICT DO NOTHING; UPDATE c SET p = x, w = COALESCE(w, 1) / 3 WHERE a = x; UPDATE p SET u = NULL WHERE id = 2; RETURN n; END $$;
CREATE FUNCTION f116(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x, x, NULL); SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > 2; RETURN n; END $$;
CREATE FUNCTION f117(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = NULL WHERE id = x; UPDATE c SET p = a, w = COALESCE(w, 1) / 3 WHERE a = x; INSERT INTO c VALUES (x, x, NULL, x) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f118(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > 5; RETURN n; END $$;
CREATE FUNCTION f119(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, x, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f120(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = x + 1 AND b = x RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f121(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = x + 1, w = COALESCE(w, 1) / 3 WHERE a = x; RETURN n; END $$;
CREATE FUNCTION f122(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE p = x + 1; RETURN n; END $$;
CREATE FUNCTION f123(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, x + 1, id FROM p WHERE v > 1 ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f124(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM c WHERE a = x AND b = x; UPDATE p SET u = NULL WHERE id = 5; RETURN n; END $$;
CREATE FUNCTION f125(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (3, x + 1) ON CONFLICT (u) DO NOTHING; IF FOUND THEN n := n + 1; END IF; DELETE FROM c WHERE a = 6; RETURN n; END $$;
CREATE FUNCTION f126(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (x + 1, x, NULL, 999.999) ON CONFLICT DO NOTHING; INSERT INTO p VALUES (4, NULL, DEFAULT); INSERT INTO p VALUES (x, x, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f127(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u, v) VALUES (x, NULL, 4) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v WHERE p.v > 3; INSERT INTO c VALUES (5, 0, x + 1, NULL) ON CONFLICT DO NOTHING; UPDATE p SET id = 2 WHERE id = x + 1; RETURN n; END $$;
CREATE FUNCTION f128(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = NULL WHERE id = x; INSERT INTO c VALUES (3, x + 1, NULL, NULL) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f129(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET id = x WHERE id = x + 1; UPDATE p SET id = x + 1 WHERE id = 4; RETURN n; END $$;
CREATE FUNCTION f130(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c (a, b, p) SELECT id, 1, id FROM p WHERE v > x ON CONFLICT (a, b) DO UPDATE SET w = COALESCE(c.w, 0) + 1; RETURN n; END $$;
CREATE FUNCTION f131(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (2, NULL, 60); UPDATE p SET id = x + 1 WHERE id = 6; INSERT INTO p VALUES (x, 6, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f132(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = NULL WHERE id = x + 1; RETURN n; END $$;
CREATE FUNCTION f133(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (6, 2) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; RETURN n; END $$;
CREATE FUNCTION f134(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET id = x WHERE id = 1; INSERT INTO c VALUES (1, 3, NULL, 999.999) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f135(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET p = 1, w = COALESCE(w, 1) / 3 WHERE a = x + 1; RETURN n; END $$;
CREATE FUNCTION f136(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x + 1, NULL, NULL); RETURN n; END $$;
CREATE FUNCTION f137(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = x + 1 AND b = 5 RETURNING a INTO n; RETURN n; END $$;
CREATE FUNCTION f138(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (x, 2, DEFAULT); RETURN n; END $$;
CREATE FUNCTION f139(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p (id, u) VALUES (x + 1, 2) ON CONFLICT (id) DO NOTHING; IF FOUND THEN n := n + 1; END IF; UPDATE c SET p = NULL, w = COALESCE(w, 1) / 3 WHERE a = 2; RETURN n; END $$;
CREATE FUNCTION f140(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (1, NULL, x + 1); RETURN n; END $$;
CREATE FUNCTION f141(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (6, x, NULL, x) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f142(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO p VALUES (3, x, 0); DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = 1; RETURN n; END $$;
CREATE FUNCTION f143(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > x + 1; RETURN n; END $$;
CREATE FUNCTION f144(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > x + 1; RETURN n; END $$;
CREATE FUNCTION f145(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = x; INSERT INTO p (id, u) VALUES (x, x) ON CONFLICT DO NOTHING; IF FOUND THEN n := n + 1; END IF; INSERT INTO c VALUES (0, x + 1, NULL, 1.255) ON CONFLICT DO NOTHING; RETURN n; END $$;
CREATE FUNCTION f146(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN DELETE FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p = p.id) AND id = 5; SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > x; SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > x; RETURN n; END $$;
CREATE FUNCTION f147(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN INSERT INTO c VALUES (x + 1, 2, NULL, x) ON CONFLICT DO NOTHING; SELECT count(*) INTO n FROM p JOIN c ON c.p = p.id WHERE p.v > 2; INSERT INTO p (id, u, v) VALUES (3, NULL, x) ON CONFLICT (id) DO UPDATE SET v = p.v + EXCLUDED.v; RETURN n; END $$;
CREATE FUNCTION f148(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE p SET u = NULL WHERE id = x + 1; SELECT count(*) INTO n FROM p LEFT JOIN c ON c.p = p.id WHERE p.v > 2; INSERT INTO p VALUES (x, NULL, x); RETURN n; END $$;
CREATE FUNCTION f149(x int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE n int := 0; BEGIN UPDATE c SET b = b + 7 WHERE a = x AND b = x + 1 RETURNING a INTO n; INSERT INTO p VALUES (x, 4, 1); INSERT INTO p (id, u) VALUES (x, 6) ON CONFLICT DO NOTHING; IF FOUND THEN n := n + 1; END IF; RETURN n; END $$;
-- call f0(4) => 0
-- call f1(1) => NULL
-- call f2(1) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call dump() => 5:-1:1 |
-- call f3(6) => 1
-- call f4(1) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f5(0) => NULL
-- call dump() => 5:-1:1 6:6:1 7:-1:6 |
-- call f6(4) => 0
-- call f7(2) => ERROR 23503 insert or update on table "c" violates foreign key constraint "c_p_fkey"
-- call f8(5) => 0
-- call dump() => 4:-1:6 5:-1:6 6:6:6 7:-1:11 |
-- call f9(6) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f10(4) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f11(3) => ERROR 23502 null value in column "v" of relation "p" violates not-null constraint
-- call dump() => 4:-1:6 5:-1:6 6:6:6 7:-1:11 |
-- call f12(2) => 0
-- call f13(4) => 0
-- call f14(1) => 0
-- call dump() => 4:-1:14 5:-1:6 6:6:6 7:-1:11 | 4/2:4:0 4/4:4:0 5/2:5:0 5/4:5:0 6/2:6:0 6/4:6:0 7/2:7:0 7/4:7:0
-- call f15(2) => 0
-- call f16(4) => NULL
-- call f17(6) => 0
-- call dump() => 4:-1:42 5:-1:18 6:6:18 7:-1:33 | 1/6:7:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f18(1) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call f19(0) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f20(6) => 0
-- call dump() => 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 1/6:7:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f21(4) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f22(2) => 17
-- call f23(0) => ERROR 22003 numeric field overflow
-- call dump() => 2:1:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 1/6:7:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f24(0) => NULL
-- call f25(3) => NULL
-- call f26(4) => NULL
-- call dump() => 2:1:1 3:3:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 1/6:7:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f27(2) => 17
-- call f28(6) => 0
-- call f29(3) => ERROR 23505 duplicate key value violates unique constraint "p_u_key"
-- call dump() => 2:1:1 3:3:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 1/6:7:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f30(3) => ERROR 23505 duplicate key value violates unique constraint "p_u_key"
-- call f31(3) => ERROR 22003 numeric field overflow
-- call f32(6) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 2:1:1 3:3:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 1/6:7:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f33(6) => ERROR 22003 numeric field overflow
-- call f34(0) => 0
-- call f35(1) => ERROR 22003 numeric field overflow
-- call dump() => 2:1:1 3:3:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 0/0:3:0 1/6:7:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f36(1) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f37(6) => ERROR 22003 numeric field overflow
-- call f38(5) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 2:1:1 3:3:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 0/0:3:0 1/6:7:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f39(0) => NULL
-- call f40(5) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f41(6) => 0
-- call dump() => 2:1:1 3:3:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/1:4:0 4/2:4:0 4/3:4:0 4/4:4:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f42(6) => 0
-- call f43(3) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f44(6) => ERROR 23503 update or delete on table "p" violates foreign key constraint "c_p_fkey" on table "c"
-- call dump() => 2:1:1 3:3:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/0:4:0.33 4/1:4:0.33 4/2:4:0.33 4/3:4:0.33 4/4:4:0.33 5/0:5:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/0:6:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/0:7:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f45(3) => 0
-- call f46(2) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f47(2) => ERROR 23502 null value in column "v" of relation "p" violates not-null constraint
-- call dump() => 2:1:1 3:-1:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/0:4:0.33 4/1:4:0.33 4/2:4:0.33 4/3:4:0.33 4/4:4:0.33 5/0:5:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/0:6:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/0:7:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f48(4) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f49(1) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f50(1) => 0
-- call dump() => 3:-1:1 4:-1:44 5:-1:18 6:6:18 7:-1:33 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/0:4:0.33 4/1:4:0.33 4/2:4:0.33 4/3:4:0.33 4/4:4:0.33 5/0:5:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/0:6:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/0:7:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f51(6) => 0
-- call f52(1) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f53(1) => 0
-- call dump() => 3:-1:1 4:-1:45 5:-1:19 6:6:19 7:-1:34 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/0:4:0.33 4/1:4:0.33 4/2:4:0.33 4/3:4:0.33 4/4:4:0.33 5/0:5:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/0:6:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/0:7:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f54(6) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f55(0) => ERROR 23505 duplicate key value violates unique constraint "p_u_key"
-- call f56(2) => 0
-- call dump() => 3:-1:1 4:-1:47 5:-1:19 6:6:19 7:-1:34 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/0:4:0.33 4/1:4:0.33 4/2:4:0.33 4/3:4:0.33 4/4:4:0.33 5/0:5:0 5/1:5:0 5/2:5:0 5/3:5:0 5/4:5:0 6/0:6:0 6/1:6:0 6/2:6:0 6/3:6:0 6/4:6:0 7/0:7:0 7/1:7:0 7/2:7:0 7/3:7:0 7/4:7:0
-- call f57(0) => 1
-- call f58(6) => 21
-- call f59(3) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 0:5:1 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:0.33 5/0:5:0 5/1:5:1.00 5/2:5:0 5/3:5:0 5/4:5:0 6/0:6:0 6/1:6:1.00 6/2:6:0 6/3:6:0 6/4:6:0 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:0
-- call f60(2) => 0
-- call f61(6) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f62(1) => ERROR 23502 null value in column "v" of relation "p" violates not-null constraint
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:0.33 5/0:5:0 5/1:5:1.00 5/2:5:0 5/3:5:0 5/4:5:0 6/0:6:0 6/1:6:1.00 6/2:6:0 6/3:6:0 6/4:6:0 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:0
-- call f63(1) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f64(2) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f65(1) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 1/6:7:0 3/2:-1:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:0.33 5/0:5:0 5/1:5:1.00 5/2:5:0 5/3:5:0 5/4:5:0 6/0:6:0 6/1:6:1.00 6/2:6:0 6/3:6:0 6/4:6:0 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:0
-- call f66(5) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f67(5) => 0
-- call f68(4) => 0
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/4:0:0 0/6:5:5.00 1/6:7:0 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:5:0 5/1:5:1.00 5/2:5:0 5/3:5:0 5/4:5:2.00 6/0:6:0 6/1:6:1.00 6/2:6:0 6/3:6:0 6/4:6:2.00 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f69(3) => 22
-- call f70(0) => NULL
-- call f71(3) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/4:0:0 0/6:5:5.00 1/6:7:0 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:5:0 5/1:5:1.00 5/2:5:0 5/3:5:0 5/4:5:2.00 6/0:6:0 6/1:6:1.00 6/2:6:0 6/3:6:0 6/4:6:2.00 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f72(5) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f73(5) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call f74(6) => 0
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/4:0:0 0/6:5:5.00 1/6:7:0 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:5:0 5/1:5:1.00 5/2:5:0 5/3:5:0 5/4:5:2.00 6/0:6:0 6/1:6:1.00 6/2:6:0 6/3:6:0 6/4:6:2.00 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f75(4) => 0
-- call f76(0) => 0
-- call f77(3) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 0/6:5:5.00 1/6:7:0 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f78(2) => 19
-- call f79(2) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f80(6) => ERROR 23503 update or delete on table "p" violates foreign key constraint "c_p_fkey" on table "c"
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 0/6:5:5.00 1/6:7:0 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f81(6) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call f82(5) => ERROR 23503 update or delete on table "p" violates foreign key constraint "c_p_fkey" on table "c"
-- call f83(2) => 0
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 0/6:5:5.00 2/3:3:2.00 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f84(1) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call f85(6) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f86(1) => ERROR 23503 update or delete on table "p" violates foreign key constraint "c_p_fkey" on table "c"
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 0/6:5:5.00 2/3:3:2.00 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f87(5) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f88(5) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f89(3) => ERROR 22003 numeric field overflow
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 0/6:5:5.00 2/3:3:2.00 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f90(5) => 0
-- call f91(0) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f92(6) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 2/3:3:2.00 2/4:2:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f93(6) => 0
-- call f94(3) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call f95(3) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:25 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 3/2:-1:0 3/4:3:0 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f96(4) => ERROR 22003 numeric field overflow
-- call f97(6) => 15
-- call f98(0) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:31 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 3/2:3:0.33 3/4:3:0.33 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f99(1) => ERROR 23502 null value in column "v" of relation "p" violates not-null constraint
-- call f100(1) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call f101(6) => 0
-- call dump() => 0:5:1 2:-1:3 3:-1:1 4:-1:47 5:-1:19 6:6:31 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 3/2:3:0.33 3/4:3:0.33 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:4:0.33 6/1:4:0.33 6/2:4:0.33 6/3:4:0.33 6/4:4:0.67 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f102(3) => 0
-- call f103(5) => 0
-- call f104(0) => 16
-- call dump() => 0:5:1 3:-1:1 4:-1:48 5:-1:19 6:6:31 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 3/2:3:0.33 3/4:3:0.33 4/0:4:0.33 4/1:4:1.33 4/2:4:0.33 4/3:4:0.33 4/4:4:2.33 5/0:-1:0.33 5/1:-1:0.33 5/2:-1:0.33 5/3:-1:0.33 5/4:-1:0.67 6/0:6:0.04 6/1:6:0.04 6/2:6:0.04 6/3:6:0.04 6/4:6:0.07 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f105(2) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f106(5) => 0
-- call f107(4) => 0
-- call dump() => 0:5:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 3/2:3:0.33 3/4:3:0.33 4/0:-1:0.11 4/1:-1:0.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:0.78 5/0:-1:0.11 5/1:-1:0.11 5/2:-1:0.11 5/3:-1:0.11 5/4:-1:0.22 6/0:6:0.04 6/1:6:0.04 6/2:6:0.04 6/3:6:0.04 6/4:6:0.07 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:2.00
-- call f108(3) => 0
-- call f109(1) => 0
-- call f110(4) => 0
-- call dump() => 0:5:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 3/2:3:0.33 3/4:3:0.33 3/5:-1:0 4/0:-1:0.11 4/1:-1:0.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/0:-1:0.11 5/1:-1:0.11 5/2:-1:0.11 5/3:-1:0.11 5/4:-1:1.22 6/0:6:0.04 6/1:6:0.04 6/2:6:0.04 6/3:6:0.04 6/4:6:1.07 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f111(2) => 0
-- call f112(0) => 0
-- call f113(1) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call dump() => 0:5:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 3/2:3:0.33 3/4:3:0.33 3/5:-1:0 4/0:-1:0.11 4/1:-1:0.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/0:-1:0.04 5/1:-1:0.04 5/2:-1:0.04 5/3:-1:0.04 5/4:-1:0.41 6/0:6:0.04 6/1:6:0.04 6/2:6:0.04 6/3:6:0.04 6/4:6:1.07 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f114(1) => ERROR 23502 null value in column "v" of relation "p" violates not-null constraint
-- call f115(3) => 0
-- call f116(4) => ERROR 23502 null value in column "v" of relation "p" violates not-null constraint
-- call dump() => 0:5:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:3:0 0/1:-1:0.00 0/4:0:0 2/4:4:1.26 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:0.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/0:-1:0.04 5/1:-1:0.04 5/2:-1:0.04 5/3:-1:0.04 5/4:-1:0.41 6/0:6:0.04 6/1:6:0.04 6/2:6:0.04 6/3:6:0.04 6/4:6:1.07 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f117(0) => 0
-- call f118(1) => 11
-- call f119(3) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:4:1.26 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:0.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/0:-1:0.04 5/1:-1:0.04 5/2:-1:0.04 5/3:-1:0.04 5/4:-1:0.41 6/0:6:0.04 6/1:6:0.04 6/2:6:0.04 6/3:6:0.04 6/4:6:1.07 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f120(2) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call f121(5) => 0
-- call f122(5) => 0
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:4:1.26 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:0.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f123(4) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call f124(5) => 0
-- call f125(4) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:4:1.26 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:0.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f126(3) => ERROR 22003 numeric field overflow
-- call f127(3) => ERROR 23503 update or delete on table "p" violates foreign key constraint "c_p_fkey" on table "c"
-- call f128(4) => 0
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:4:1.26 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:0.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 7/0:7:0 7/1:7:1.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f129(3) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f130(6) => 0
-- call f131(6) => ERROR 23514 new row for relation "p" violates check constraint "p_v_check"
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:4:1.26 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:1.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/1:5:0 6/1:6:0 7/0:7:0 7/1:7:2.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f132(0) => 0
-- call f133(5) => 0
-- call f134(3) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:4:1.26 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:1.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/1:5:0 6/1:6:0 7/0:7:0 7/1:7:2.00 7/2:7:0 7/3:7:0 7/4:7:3.00
-- call f135(6) => 0
-- call f136(1) => ERROR 23502 null value in column "v" of relation "p" violates not-null constraint
-- call f137(3) => NULL
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:4:1.26 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:1.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/1:5:0 6/1:6:0 7/0:1:0.33 7/1:1:0.67 7/2:1:0.33 7/3:1:0.33 7/4:1:1.00
-- call f138(1) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f139(0) => 0
-- call f140(2) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:-1:0.42 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:1.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/1:5:0 6/1:6:0 7/0:1:0.33 7/1:1:0.67 7/2:1:0.33 7/3:1:0.33 7/4:1:1.00
-- call f141(3) => 0
-- call f142(4) => ERROR 23505 duplicate key value violates unique constraint "p_pkey"
-- call f143(3) => 2
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:-1:0.42 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:1.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/1:5:0 6/1:6:0 6/3:-1:3.00 7/0:1:0.33 7/1:1:0.67 7/2:1:0.33 7/3:1:0.33 7/4:1:1.00
-- call f144(5) => 2
-- call f145(0) => 0
-- call f146(1) => 9
-- call dump() => 0:-1:1 1:-1:4 3:-1:1 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:-1:0.42 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:1.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/1:5:0 6/1:6:0 6/3:-1:3.00 7/0:1:0.33 7/1:1:0.67 7/2:1:0.33 7/3:1:0.33 7/4:1:1.00
-- call f147(4) => 7
-- call f148(2) => 12
-- call f149(3) => ERROR 23514 new row for relation "c" violates check constraint "c_check"
-- call dump() => 0:-1:1 1:-1:4 2:-1:2 3:-1:5 4:-1:48 5:-1:20 6:6:31 7:-1:34 | 0/0:0:0.33 0/1:0:0.00 0/4:0:0.33 2/4:-1:0.42 3/2:3:0.11 3/4:3:0.11 3/5:3:0.33 4/0:-1:0.11 4/1:-1:1.44 4/2:-1:0.11 4/3:-1:0.11 4/4:-1:1.78 5/1:5:0 5/2:-1:4.00 6/1:6:0 6/3:-1:3.00 7/0:1:0.33 7/1:1:0.67 7/2:1:0.33 7/3:1:0.33 7/4:1:1.00
