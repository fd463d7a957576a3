// SPDX-License-Identifier: MIT
#include "mariadb_differential/random_statements.h"

#include <array>

#include <fmt/format.h>

#include "base/random.h"

namespace isomer::test {
namespace {

constexpr std::array conditions = {"unique_violation",
                                   "foreign_key_violation",
                                   "check_violation",
                                   "lock_not_available",
                                   "serialization_failure",
                                   "deadlock_detected",
                                   "OTHERS"};

class Statements {
 public:
  Statements(Random& random, bool is_script) : random_(random), is_script_(is_script) {}

  std::string any(int depth) {
    const auto roll = random_.below(100);
    if (roll < 18) return query();
    if (roll < 42) return update();
    if (roll < 62) return insert();
    if (roll < 74) return erase();
    if (roll < 89) return lock_rows();
    return is_script_ || depth == 0 ? update() : block(depth);
  }

 private:
  template <std::size_t N>
  std::string pick(const std::array<const char*, N>& texts) {
    return texts[random_.below(N)];
  }

  std::string number(std::uint64_t first, std::uint64_t last) {
    return fmt::format("{}", first + random_.below(last - first + 1));
  }

  // Rows have keys 10, 20 and 30; there is room between and beside them.
  std::string id() { return number(1, 3) + "0"; }

  std::string any_id() {
    return random_.chance(0.6) ? id() : pick(std::array{"5", "15", "25", "35", "11", "29"});
  }

  std::string value() { return random_.chance(0.15) ? "NULL" : number(0, 3); }

  // Over the columns of t.
  std::string condition() {
    switch (random_.below(18)) {
      case 0:
        return "v > " + number(0, 2);
      case 1:
        return "v IS NULL";
      case 2:
        return "id IN (10, 20)";
      case 3:
        return fmt::format("v = (SELECT g.n FROM g WHERE g.id = {})", number(1, 2));
      case 4:
        return "EXISTS (SELECT 1 FROM c WHERE c.pid = t.id)";
      case 5:
        return "v <= (SELECT count(*) FROM c)";
      case 6:
      case 7:
        return "u = " + any_id();
      case 8:
        return fmt::format("id BETWEEN {} AND {}", any_id(), any_id());
      case 9:
        return "id > " + any_id();
      case 10:
        return fmt::format("id = {} AND v >= {}", any_id(), number(0, 2));
      case 11:
        return fmt::format("u >= {} AND u < {}", any_id(), any_id());
      case 12:
        return "v IN (SELECT n FROM g)";
      default:
        return "id = " + any_id();
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
        return "max(t.v) {} FROM t JOIN g ON g.id = t.v";
      case 4:
        return "v {} FROM t ORDER BY id DESC LIMIT 1";
      case 5:
        return "count(t.v) {} FROM t LEFT JOIN c ON c.pid = t.id";
      case 6:
        return fmt::format("w {{}} FROM c WHERE pid = {}", id());
      default:
        return fmt::format("v {{}} FROM t WHERE id = {}", any_id());
    }
  }

  std::string query() {
    std::string text = one_value();
    text.replace(text.find("{} "), 3, is_script_ ? "" : "INTO x ");
    return "SELECT " + text;
  }

  std::string expression() {
    switch (random_.below(8)) {
      case 0:
        return value();
      case 1:
        return is_script_ ? "v - 1" : "x";
      case 2:
        return "v + (SELECT count(*) FROM c)";
      case 3:
        return "(SELECT max(s.v) FROM t s)";
      case 4:
        return "v";
      default:
        return "v + 1";
    }
  }

  std::string update() {
    switch (random_.below(18)) {
      case 0:
        return fmt::format("UPDATE t SET id = {} WHERE id = {}", any_id(), id());
      case 1:
        return fmt::format("UPDATE t SET u = {} WHERE id = {}", any_id(), id());
      case 2:
        return "UPDATE t SET v = t.v + g.n FROM g WHERE g.id = t.v";
      case 3:
        return fmt::format("UPDATE c SET pid = {} WHERE id = {}",
                           random_.chance(0.2) ? "NULL" : any_id(), number(1, 2));
      case 4:
        return fmt::format("UPDATE g SET n = n + 1 WHERE id = {}", number(1, 2));
      case 5:
        return fmt::format("UPDATE g SET n = {} WHERE n < 2", value());
      case 6:
        return fmt::format("UPDATE t SET u = u + 1 WHERE {}", condition());
      case 7:
        return fmt::format("UPDATE c SET w = w + 1 WHERE pid = {}", id());
      case 8:
        return fmt::format("UPDATE t SET v = {}, u = v WHERE {}", value(), condition());
      default:
        return fmt::format("UPDATE t SET v = {} WHERE {}", expression(), condition());
    }
  }

  std::string insert() {
    const std::string row = fmt::format("({}, {}, {})", any_id(), value(),
                                        random_.chance(0.1) ? "NULL" : any_id());
    switch (random_.below(12)) {
      case 0:
        return fmt::format("INSERT INTO g VALUES ({}, {}) ON CONFLICT DO NOTHING",
                           number(1, 3), value());
      case 1:
      case 2:
        return fmt::format(
            "INSERT INTO g VALUES ({}, {}) ON CONFLICT (id) DO UPDATE SET n = {}",
            number(1, 3), value(),
            pick(std::array{"g.n + 1", "excluded.n", "g.n + excluded.n"}));
      case 3:
      case 4:
        return fmt::format("INSERT INTO c VALUES ({}, {}, 0)", number(1, 4), any_id());
      case 5:
        return fmt::format("INSERT INTO g SELECT id, v FROM t WHERE {}", condition());
      case 6:
        return fmt::format("INSERT INTO t VALUES {}, ({}, 0, {})", row, any_id(), any_id());
      case 7:
        return fmt::format("INSERT INTO g VALUES ({}, (SELECT max(v) FROM t WHERE {}))",
                           number(1, 4), condition());
      default:
        return "INSERT INTO t VALUES " + row;
    }
  }

  std::string erase() {
    switch (random_.below(7)) {
      case 0:
        return "DELETE FROM c WHERE pid = " + any_id();
      case 1:
        return "DELETE FROM t USING g WHERE g.id = t.v AND g.n > 0";
      case 2:
        return "DELETE FROM g WHERE id = " + number(1, 2);
      case 3:
        return "DELETE FROM c";
      default:
        return "DELETE FROM t WHERE " + condition();
    }
  }

  std::string lock_rows() {
    static constexpr std::array strengths = {"SHARE", "UPDATE", "UPDATE"};
    static constexpr std::array waits = {"", "", "", "", " NOWAIT", " SKIP LOCKED"};
    const std::string lock = fmt::format("FOR {}", pick(strengths));
    const std::string first = is_script_ ? "SELECT" : "PERFORM";
    switch (random_.below(7)) {
      case 0:
        return fmt::format("{} n FROM g {}{}", first, lock, pick(waits));
      case 1:
        return fmt::format("{} v FROM t ORDER BY id LIMIT 1 {}{}", first, lock,
                           pick(waits));
      case 2:
        return fmt::format("{} t.v FROM t JOIN g ON g.id = t.v {}", first, lock);
      case 3:
        return fmt::format("{} id FROM c WHERE pid = {} {}{}", first, any_id(), lock,
                           pick(waits));
      default:
        return fmt::format("{} v FROM t WHERE {} {}{}", first, condition(), lock,
                           pick(waits));
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
                           any(depth - 1), pick(conditions),
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
  for (int id = 10; id <= 30; id += 10)
    if (random.chance(0.75))
      out.push_back(
          fmt::format("INSERT INTO t VALUES ({}, {}, {})", id,
                      random.chance(0.1) ? "NULL" : fmt::format("{}", random.below(3)),
                      random.chance(0.1) ? "NULL" : fmt::format("{}", id)));
  for (int id = 1; id <= 2; ++id)
    if (random.chance(0.7))
      out.push_back(fmt::format("INSERT INTO g VALUES ({}, {})", id, random.below(2)));
  if (random.chance(0.5)) out.emplace_back("INSERT INTO c SELECT 1, min(id), 0 FROM t");
  if (random.chance(0.3)) out.emplace_back("INSERT INTO c SELECT 2, max(id), 0 FROM t");
  return out;
}

}  // namespace

ApplicationParts random_for_mariadb(std::uint64_t seed) {
  static constexpr std::array actions = {"NO ACTION", "RESTRICT", "CASCADE", "SET NULL"};
  Random random(seed);
  ApplicationParts out;
  out.tables =
      "CREATE TABLE t (id int PRIMARY KEY, v int, u int UNIQUE);\n"
      "CREATE TABLE g (id int PRIMARY KEY, n int);\n"
      "CREATE TABLE c (id int PRIMARY KEY, pid int REFERENCES t ON DELETE {} ON UPDATE {}, "
      "w int);\n";
  out.on_delete = actions[random.below(actions.size())];
  out.on_update = actions[random.below(actions.size())];
  if (random.chance(0.3)) out.indexes.emplace_back("CREATE INDEX ON t (v)");
  out.rows = random_rows(random);
  const std::uint64_t sessions = random.chance(0.7) ? 2 : 3;
  for (std::uint64_t i = 0; i < sessions; ++i) {
    ApplicationParts::Session& session = out.sessions.emplace_back();
    session.is_script = random.chance(0.3);
    session.retries = random.chance(0.1);
    const bool has_two = random.chance(sessions == 2 ? 0.2 : 0.1);
    for (int j = 0; j < (has_two ? 2 : 1); ++j)
      session.calls.push_back(
          random_call(random, session.is_script, sessions == 2 && !has_two ? 3 : 2));
  }
  return out;
}

}  // namespace isomer::test
