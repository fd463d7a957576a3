// SPDX-License-Identifier: MIT
#include "sqlite_differential/random_statements.h"

#include <array>

#include <fmt/format.h>

#include "base/random.h"

namespace isomer::test {
namespace {

constexpr std::array conditions = {"unique_violation",      "foreign_key_violation",
                                   "check_violation",       "not_null_violation",
                                   "serialization_failure", "OTHERS"};

class Statements {
 public:
  Statements(Random& random, bool is_script) : random_(random), is_script_(is_script) {}

  std::string any(int depth) {
    const auto roll = random_.below(100);
    if (roll < 28) return query();
    if (roll < 55) return update();
    if (roll < 74) return insert();
    if (roll < 88) return erase();
    return is_script_ || depth == 0 ? update() : block(depth);
  }

 private:
  std::string number(std::uint64_t first, std::uint64_t last) {
    return fmt::format("{}", first + random_.below(last - first + 1));
  }

  std::string id() { return number(1, 3); }

  std::string value() { return random_.chance(0.15) ? "NULL" : number(0, 4); }

  std::string name() {
    static constexpr std::array names = {"'ann'", "'Bob'", "''", "'ann ''s'", "NULL"};
    return names[random_.below(names.size())];
  }

  // Over the columns of t.
  std::string condition() {
    switch (random_.below(16)) {
      case 0:
        return "v > " + number(0, 2);
      case 1:
        return "v IS NULL";
      case 2:
        return "id IN (1, 2)";
      case 3:
        return fmt::format("v = (SELECT g.n FROM g WHERE g.id = {})", number(1, 2));
      case 4:
        return "EXISTS (SELECT 1 FROM c WHERE c.pid = t.id)";
      case 5:
        return "v <= (SELECT count(*) FROM c)";
      case 6:
        return "u = " + number(1, 4);
      case 7:
        return "v NOT IN (SELECT n FROM g)";
      case 8:
        return "w LIKE 'a%' OR u < 2";
      case 9:
        return "w IS DISTINCT FROM 'ann' AND NOT b";
      case 10:
        return "greatest(v, u, 1) > 2";
      case 11:
        return "coalesce(v, 0) / 2 = 1";
      default:
        return "id = " + id();
    }
  }

  std::string one_value() {
    switch (random_.below(8)) {
      case 0:
        return "sum(v) {} FROM t WHERE " + condition();
      case 1:
        return "count(*) {} FROM c";
      case 2:
        return fmt::format("n {{}} FROM g WHERE id = {}", number(1, 2));
      case 3:
        return "max(t.v) {} FROM t JOIN g ON g.id = t.id";
      case 4:
        return "v {} FROM t ORDER BY v DESC LIMIT 1 OFFSET " + number(0, 1);
      case 5:
        return "t.v + length(t.w) {} FROM t LEFT JOIN c ON c.pid = t.id WHERE " +
               fmt::format("t.id <> {}", id());
      case 6:
        return "min(n) {} FROM g GROUP BY id HAVING count(*) > 0 AND id = 1";
      default:
        return fmt::format("v {{}} FROM t WHERE id = {}", id());
    }
  }

  std::string query() {
    std::string text = one_value();
    text.replace(text.find("{} "), 3, is_script_ ? "" : "INTO x ");
    return "SELECT " + text;
  }

  std::string expression() {
    switch (random_.below(9)) {
      case 0:
        return value();
      case 1:
        return is_script_ ? "v - 1" : "x";
      case 2:
        return "v + (SELECT count(*) FROM c)";
      case 3:
        return "(SELECT max(s.v) FROM t s)";
      case 4:
        return "(SELECT count(s.v) FROM t s WHERE s.v >= t.v)";
      case 5:
        return "v";
      case 6:
        return "CASE WHEN b THEN u ELSE least(v, 2) END";
      default:
        return "v + 1";
    }
  }

  std::string update() {
    switch (random_.below(20)) {
      case 0:
        return fmt::format("UPDATE t SET id = {} WHERE id = {}", number(1, 4), id());
      case 1:
        return fmt::format("UPDATE t SET u = {} WHERE id = {}", number(1, 4), id());
      case 2:
        return "UPDATE t SET v = t.v + g.n FROM g WHERE g.id = t.id";
      case 3:
        return fmt::format("UPDATE c SET pid = {} WHERE id = {}",
                           random_.chance(0.2) ? "NULL" : id(), number(1, 2));
      case 4:
        return fmt::format("UPDATE g SET n = n + 1 WHERE id = {}", number(1, 2));
      case 5:
        return is_script_ ? fmt::format("UPDATE g SET n = {} WHERE n < 2", value())
                          : fmt::format(
                                "UPDATE t SET v = v + 1 WHERE id = {} "
                                "RETURNING v INTO x",
                                id());
      case 6:
        return "UPDATE t SET id = id + 1";
      case 7:
        return fmt::format("UPDATE t SET u = u - 1 WHERE {}", condition());
      case 8:
        return fmt::format("UPDATE t SET w = {}, b = NOT b WHERE {}", name(), condition());
      case 9:
        return fmt::format("UPDATE g SET id = {} WHERE id = {}", number(1, 3),
                           number(1, 2));
      case 10:
        return fmt::format("UPDATE h SET k = k + {} WHERE j = 1", number(0, 2));
      case 11:
        return "UPDATE c SET w = w + 1, pid = pid";
      default:
        return fmt::format("UPDATE t SET v = {} WHERE {}", expression(), condition());
    }
  }

  std::string insert() {
    const std::string row =
        fmt::format("({}, {}, {}, {}, {})", number(1, 4), value(), number(1, 4), name(),
                    random_.chance(0.5) ? "true" : "false");
    switch (random_.below(14)) {
      case 0:
        return fmt::format("INSERT INTO t VALUES {} ON CONFLICT DO NOTHING", row);
      case 1:
        return fmt::format(
            "INSERT INTO t VALUES {} ON CONFLICT (id) DO UPDATE SET v = t.v + 1", row);
      case 2:
        return fmt::format(
            "INSERT INTO t VALUES {} ON CONFLICT (u) DO UPDATE SET v = "
            "excluded.v WHERE t.v > 0",
            row);
      case 3:
      case 4:
        return fmt::format("INSERT INTO c VALUES ({}, {}, 0)", number(1, 3), id());
      case 5:
        return fmt::format("INSERT INTO g SELECT id + 1, v FROM t WHERE {}", condition());
      case 6:
        return fmt::format("INSERT INTO t (id, u) VALUES ({}, {}), ({}, {})", number(1, 4),
                           number(1, 5), number(3, 5), number(4, 6));
      case 7:
        return "INSERT INTO c SELECT id, id, v FROM t ON CONFLICT (id) DO UPDATE SET w = "
               "excluded.w";
      case 8:
        return fmt::format("INSERT INTO h VALUES ({}, {}, {})", number(1, 2), number(1, 2),
                           id());
      case 9:
        return fmt::format("INSERT INTO c VALUES ({}, {}, {}), ({}, 1, 1)", number(1, 3),
                           id(), value(), number(3, 4));
      case 10:
        return fmt::format(
            "INSERT INTO c VALUES ({}, {}, 1) ON CONFLICT (id) DO UPDATE SET pid = {}",
            number(1, 2), number(1, 4), number(1, 4));
      default:
        return "INSERT INTO t VALUES " + row;
    }
  }

  std::string erase() {
    switch (random_.below(9)) {
      case 0:
        return "DELETE FROM c WHERE pid = " + id();
      case 1:
        return "DELETE FROM t USING g WHERE g.id = t.id AND g.n > 0";
      case 2:
        return "DELETE FROM g WHERE id = " + number(1, 2);
      case 3:
        return "DELETE FROM h";
      case 4:
        return "DELETE FROM c";
      case 5:
        return "DELETE FROM g";
      default:
        return "DELETE FROM t WHERE " + condition();
    }
  }

  std::string block(int depth) {
    switch (random_.below(4)) {
      case 0:
        return fmt::format("IF x > {} THEN {}; END IF", number(0, 1), any(depth - 1));
      case 1:
        return fmt::format("IF NOT FOUND THEN {}; END IF", any(depth - 1));
      default:
        return fmt::format("BEGIN {}; {}; EXCEPTION WHEN {} THEN {}; END", any(depth - 1),
                           any(depth - 1), conditions[random_.below(conditions.size())],
                           random_.chance(0.3) ? "NULL" : any(depth - 1));
    }
  }

  Random& random_;
  bool is_script_;
};

// SAVEPOINT a, a statement or two, and perhaps back.
void add_savepoint(Random& random, Statements& statements, std::vector<std::string>& out) {
  out.push_back("SAVEPOINT a");
  for (auto count = random.below(2) + 1; count > 0; --count)
    out.push_back(statements.any(0));
  const auto roll = random.below(4);
  if (roll < 3) out.push_back(roll == 0 ? "RELEASE a" : "ROLLBACK TO a");
}

std::vector<std::string> random_call(Random& random, bool is_script, std::uint64_t most) {
  std::vector<std::string> out;
  Statements statements(random, is_script);
  for (auto count = random.below(most) + 1; count > 0; --count) {
    if (is_script && random.chance(0.2))
      add_savepoint(random, statements, out);
    else
      out.push_back(statements.any(2));
  }
  if (random.chance(0.08)) out.push_back(is_script ? "SELECT 1" : "RAISE EXCEPTION 'no'");
  return out;
}

std::vector<std::string> random_rows(Random& random) {
  std::vector<std::string> out;
  for (int id = 1; id <= 3; ++id)
    if (random.chance(0.75))
      out.push_back(fmt::format(
          "INSERT INTO t VALUES ({}, {}, {}, {}, {})", id,
          random.chance(0.1) ? "NULL" : fmt::format("{}", random.below(4)), id,
          random.chance(0.5) ? "'ann'" : "NULL", random.chance(0.5) ? "true" : "false"));
  for (int id = 1; id <= 2; ++id)
    if (random.chance(0.7))
      out.push_back(fmt::format("INSERT INTO g VALUES ({}, {})", id, random.below(2)));
  if (random.chance(0.5)) out.emplace_back("INSERT INTO c SELECT 1, min(id), 0 FROM t");
  if (random.chance(0.4))
    out.emplace_back(
        "INSERT INTO h VALUES (1, 1, NULL); INSERT INTO h SELECT 1, 2, min(u) FROM t");
  return out;
}

}  // namespace

ApplicationParts random_for_sqlite(std::uint64_t seed) {
  static constexpr std::array actions = {"NO ACTION", "RESTRICT", "CASCADE", "SET NULL",
                                         "SET DEFAULT"};
  Random random(seed);
  ApplicationParts out;
  out.tables =
      "CREATE TABLE t (id int PRIMARY KEY, v int CHECK (v < 7), u int UNIQUE, w "
      "varchar(9), b boolean NOT NULL DEFAULT false);\n"
      "CREATE TABLE g (id int PRIMARY KEY, n int);\n"
      "CREATE TABLE c (id int PRIMARY KEY, pid int DEFAULT 2 REFERENCES t ON DELETE {} ON "
      "UPDATE {}, w int);\n"
      "CREATE TABLE h (j int, k int, tu int REFERENCES t (u) ON DELETE CASCADE, PRIMARY "
      "KEY (j, k));\n";
  out.on_delete = actions[random.below(actions.size())];
  out.on_update = actions[random.below(actions.size())];
  out.rows = random_rows(random);
  const std::uint64_t sessions = random.chance(0.6) ? 2 : 3;
  const bool is_one_level = random.chance(0.6);
  const bool is_immediate = random.chance(0.5);
  for (std::uint64_t i = 0; i < sessions; ++i) {
    ApplicationParts::Session& session = out.sessions.emplace_back();
    session.is_immediate = is_one_level ? is_immediate : random.chance(0.5);
    session.is_script = random.chance(0.3);
    session.retries = random.chance(0.1);
    const bool has_two = random.chance(sessions == 2 ? 0.25 : 0.1);
    for (int j = 0; j < (has_two ? 2 : 1); ++j)
      session.calls.push_back(
          random_call(random, session.is_script, sessions == 2 && !has_two ? 3 : 2));
  }
  return out;
}

}  // namespace isomer::test
