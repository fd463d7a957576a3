// SPDX-License-Identifier: MIT
#include "support/random_sql/random_computed.h"

#include <array>

#include <fmt/format.h>

namespace isomer::test {
namespace {

class Generator {
 public:
  explicit Generator(Random& random) : random_(random) {}

  FunctionText function() {
    switch (random_.below(8)) {
      case 0:
        return loop(cut());
      case 1:
        return loop(fmt::format("{} ORDER BY c1 NULLS FIRST, c2 NULLS FIRST{}", combined(),
                                limit()));
      case 2:
        return loop(joined());
      case 3:
        return loop(values());
      case 4:
        return loop(with());
      case 5:
        return loop(inside());
      case 6:
        return loop(taken_apart());
      default:
        return change();
    }
  }

 private:
  template <std::size_t N>
  std::string pick(const std::array<const char*, N>& texts) {
    return texts[random_.below(N)];
  }

  std::string number(std::uint64_t below) { return fmt::to_string(random_.below(below)); }

  std::string limit() { return random_.chance(0.5) ? "" : " LIMIT " + number(5); }

  // Over t.
  std::string condition() {
    static constexpr std::array conditions = {
        "f",
        "a > 3",
        "s IS NOT NULL",
        "id IN (SELECT k FROM u)",
        "NOT f",
        "id <> 4",
        "id > 2",
        "true",
        "EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id)"};
    return pick(conditions);
  }

  static FunctionText loop(const std::string& query) {
    return {
        "text",
        fmt::format("DECLARE\n  r record;\n  result text := '';\nBEGIN\n  FOR r IN\n    {}"
                    "\n  LOOP\n    result := result || coalesce(r.c1::text, 'NULL') || "
                    "'|' || coalesce(r.c2::text, 'NULL') || '|';\n  END LOOP;\n  RETURN "
                    "result;\nEND",
                    query)};
  }

  std::string cut() {
    return fmt::format(
        "SELECT x.i AS c1, x.w AS c2 FROM (SELECT id AS i, s AS w FROM t WHERE {} ORDER BY "
        "id "
        "{}LIMIT {}) x WHERE x.i > {} ORDER BY x.i",
        condition(), random_.chance(0.5) ? "DESC " : "", number(7), number(4));
  }

  std::string side() {
    static constexpr std::array sides = {"SELECT a AS c1, s AS c2 FROM t",
                                         "SELECT id AS c1, v AS c2 FROM t",
                                         "SELECT k AS c1, w AS c2 FROM u",
                                         "SELECT j AS c1, 'x' AS c2 FROM u",
                                         "SELECT c AS c1, 'ann' AS c2 FROM t",
                                         "VALUES (1, 'x'), (1, 'x'), (2, NULL)",
                                         "SELECT b AS c1, max(s) AS c2 FROM t GROUP BY b"};
    return pick(sides);
  }

  std::string operation() {
    static constexpr std::array operations = {"UNION",         "UNION ALL", "INTERSECT",
                                              "INTERSECT ALL", "EXCEPT",    "EXCEPT ALL"};
    return pick(operations);
  }

  std::string combined() {
    const std::string two =
        fmt::format("SELECT id AS c1, s AS c2 FROM t {} {}", operation(), side());
    if (random_.chance(0.5)) return two;
    return random_.chance(0.5)
               ? fmt::format("{} {} {}", two, operation(), side())
               : fmt::format("SELECT k AS c1, w AS c2 FROM u {} ({})", operation(), two);
  }

  std::string joined() {
    static constexpr std::array groups = {
        "SELECT t_id AS i, count(*) AS n FROM u GROUP BY t_id",
        "SELECT k AS i, max(j) AS n FROM u GROUP BY k HAVING count(*) > 1",
        "SELECT DISTINCT t_id AS i, k AS n FROM u WHERE j = 1",
        "SELECT j AS i, min(w) AS n FROM u GROUP BY j"};
    return fmt::format(
        "SELECT t.id AS c1, x.n AS c2 FROM t {} JOIN ({}) x ON x.i = t.id{} WHERE {} ORDER "
        "BY "
        "t.id, x.n",
        random_.chance(0.5) ? "LEFT" : "", pick(groups),
        random_.chance(0.3) ? " AND t.f" : "", condition());
  }

  std::string values() {
    return fmt::format(
        "SELECT x.i AS c1, t.s AS c2 FROM (VALUES (1, 'a'), (NULL, 'b'), ({}, NULL), (3, "
        "'ann')) x (i, w) {} JOIN t ON t.id = x.i{} ORDER BY x.i NULLS FIRST, x.w",
        number(9), random_.chance(0.5) ? "LEFT" : "",
        random_.chance(0.3) ? " AND t.s = x.w" : "");
  }

  std::string with() {
    static constexpr std::array queries = {
        "SELECT p.id AS c1, q.w AS c2 FROM p JOIN q ON q.k = p.id ORDER BY p.id, q.j",
        "SELECT p.id AS c1, o.id AS c2 FROM p, p o WHERE o.id = p.id + 1 ORDER BY p.id",
        "SELECT id AS c1, (SELECT count(*) FROM p) AS c2 FROM t WHERE id IN (SELECT k FROM "
        "q) "
        "ORDER BY id",
        "SELECT k AS c1, (SELECT max(id) FROM p WHERE p.id < q.k) AS c2 FROM q ORDER BY k, "
        "j",
        "SELECT id AS c1, id AS c2 FROM p UNION SELECT k, j FROM q ORDER BY 1, 2"};
    return fmt::format(
        "WITH p AS (SELECT id FROM t WHERE {}{}), q (k, j, w) AS (SELECT k, j, w FROM u "
        "WHERE "
        "k IN (SELECT id FROM p)) {}",
        condition(), random_.chance(0.5) ? " ORDER BY id LIMIT 3" : "", pick(queries));
  }

  // In a subquery, of whose row they know.
  std::string inside() {
    static constexpr std::array values = {
        "(SELECT max(y.n) FROM (SELECT k AS n FROM u WHERE u.t_id = t.id UNION SELECT j "
        "FROM u "
        "WHERE u.k = t.id) y)",
        "(SELECT count(*) FROM (SELECT w FROM u WHERE u.t_id = t.id) y WHERE y.w IS NOT "
        "NULL)",
        "(SELECT count(*) FROM (SELECT DISTINCT w FROM u WHERE u.k <= t.id) y)",
        "(WITH m AS (SELECT max(k) AS k FROM u) SELECT m.k + t.id FROM m)",
        "(SELECT sum(y.n) FROM (VALUES (1), (t.id), (t.id + 5)) y (n) WHERE y.n < 7)",
        "(SELECT y.n FROM (SELECT x.id AS n, (SELECT count(*) FROM u WHERE u.t_id = x.id) "
        "AS m "
        "FROM t x WHERE x.id = t.id) y WHERE y.m > 0)"};
    return fmt::format("SELECT t.id AS c1, {} AS c2 FROM t WHERE {} ORDER BY t.id",
                       pick(values), condition());
  }

  // Queries that only join and filter.
  std::string taken_apart() {
    static constexpr std::array queries = {
        "SELECT x.i AS c1, x.w AS c2 FROM (SELECT t.id + 1 AS i, u.w, t.f FROM t LEFT JOIN "
        "u "
        "ON u.t_id = t.id) x WHERE x.f ORDER BY x.i, x.w NULLS FIRST",
        "SELECT u.k AS c1, x.w AS c2 FROM u, (SELECT id, s || '!' AS w FROM t WHERE f) x "
        "WHERE "
        "x.id = u.t_id ORDER BY u.k, u.j",
        "SELECT x.k AS c1, y.n AS c2 FROM (SELECT k, j, t_id FROM u) x LEFT JOIN (SELECT "
        "id AS "
        "i, id * 2 AS n FROM t WHERE id > 1) y ON y.i = x.t_id ORDER BY x.k, x.j",
        "SELECT x.f AS c1, count(x.w) AS c2 FROM (SELECT t.f, u.w FROM t JOIN u ON u.t_id "
        "= "
        "t.id) x GROUP BY x.f ORDER BY x.f",
        "SELECT z.i AS c1, z.n AS c2 FROM (SELECT x.i, (SELECT count(*) FROM u WHERE "
        "u.t_id = "
        "x.i AND u.w = x.w) AS n FROM (SELECT id AS i, s AS w FROM t) x WHERE x.i < 6) z "
        "ORDER BY z.i"};
    return pick(queries);
  }

  FunctionText change() {
    static constexpr std::array changes = {
        "UPDATE t SET c = x.n FROM (SELECT t_id, count(*) AS n FROM u GROUP BY t_id) x "
        "WHERE "
        "x.t_id = t.id",
        "UPDATE t SET c = t.c + x.n FROM (VALUES (1, 5), (2, 6)) x (i, n) WHERE x.i = t.id",
        "UPDATE u SET w = x.w FROM (SELECT id, s || '?' AS w FROM t WHERE f) x WHERE x.id "
        "= "
        "u.t_id",
        "DELETE FROM u USING (VALUES (1), (3)) x (k) WHERE x.k = u.k AND u.j = 1",
        "INSERT INTO u SELECT x.k, 9, NULL, 'n' FROM (VALUES (1), (2), (1)) x (k) ON "
        "CONFLICT "
        "DO NOTHING",
        "INSERT INTO u SELECT k, j + 10, t_id, w FROM u UNION SELECT 4, 4, NULL, 'u' ON "
        "CONFLICT DO NOTHING",
        "WITH x AS (SELECT max(k) AS k FROM u) DELETE FROM u USING x WHERE u.k = x.k AND "
        "u.j "
        "= 2",
        "WITH x AS (SELECT id, s FROM t WHERE id < 4) UPDATE u SET w = x.s FROM x WHERE "
        "x.id = "
        "u.t_id AND u.j = 1",
        "WITH x AS (SELECT id FROM t WHERE f) INSERT INTO u SELECT id, 20, id, 'w' FROM x "
        "ON "
        "CONFLICT DO NOTHING"};
    return {
        "text",
        fmt::format("DECLARE\n  n int;\nBEGIN\n  {};\n  GET DIAGNOSTICS n = ROW_COUNT;\n  "
                    "RETURN n || coalesce((SELECT sum(k * 100 + j) FROM u), 0)::text || "
                    "'|' || (SELECT sum(c) FROM t)::text;\nEND",
                    pick(changes))};
  }

  Random& random_;
};

}  // namespace

FunctionText random_computed_function(Random& random) {
  return Generator(random).function();
}

}  // namespace isomer::test
