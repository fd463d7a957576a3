// SPDX-License-Identifier: MIT
#include "database_differential/random_application.h"

#include <array>

#include <fmt/format.h>

#include "base/random.h"
#include "database_differential/second_family.h"

namespace isomer::test {
namespace {

constexpr std::array levels = {"READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"};
constexpr std::array conditions = {"unique_violation",   "foreign_key_violation",
                                   "lock_not_available", "serialization_failure",
                                   "deadlock_detected",  "OTHERS"};

// What the application's keys decide about.
constexpr std::string_view any_conflict = " ON CONFLICT DO NOTHING";
constexpr std::string_view conflict_of_u = " ON CONFLICT (u)";
constexpr std::string_view any_booking_conflict = " ON CONFLICT /* b */ DO NOTHING";

// How t.u can be unique, and what ON CONFLICT says for that.
struct KeyOfU {
  std::string_view column;  // behind its type
  std::string_view index;
  std::string_view any_conflict;
  std::string_view conflict_of_u;
};

constexpr std::string_view of_id = " ON CONFLICT (id)";
constexpr std::string_view nothing_of_id = " ON CONFLICT (id) DO NOTHING";

constexpr std::array keys_of_u = {
    KeyOfU{" UNIQUE", "", any_conflict, conflict_of_u},
    KeyOfU{" UNIQUE DEFERRABLE", "", nothing_of_id, of_id},
    KeyOfU{" UNIQUE DEFERRABLE INITIALLY DEFERRED", "", nothing_of_id, of_id},
    KeyOfU{"", "CREATE UNIQUE INDEX ON t (u) WHERE v > 0;\n", any_conflict,
           " ON CONFLICT (u) WHERE v > 0"},
    KeyOfU{"", "CREATE UNIQUE INDEX ON t ((u % 3));\n", any_conflict,
           " ON CONFLICT ((u % 3))"},
    KeyOfU{" UNIQUE", "CREATE UNIQUE INDEX ON t (v) WHERE u > 3;\n", any_conflict,
           conflict_of_u},
};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

class Statements {
 public:
  // What there is beside t, g and c.
  struct Extras {
    bool has_ranges = false;
    bool has_family = false;
  };

  Statements(Random& random, bool is_script, Extras extras)
      : random_(random), is_script_(is_script), extras_(extras) {}

  std::string any(int depth) {
    if (extras_.has_ranges && random_.chance(0.5)) return booking();
    if (extras_.has_family && random_.chance(0.7))
      return family_statement(random_, is_script_);
    if (random_.chance(0.2)) return random_.chance(0.4) ? merge() : computed();
    const auto roll = random_.below(100);
    if (roll < 18) return query();
    if (roll < 40) return update();
    if (roll < 56) return insert();
    if (roll < 67) return erase();
    if (roll < 82) return lock_rows();
    if (roll < 85) return lock_table();
    if (roll < 88) return advisory();
    if (roll < 91) return set_constraints();
    if (is_script_) return update();
    return depth > 0 ? block(depth) : update();
  }

 private:
  template <std::size_t N>
  std::string pick(const std::array<const char*, N>& texts) {
    return texts[random_.below(N)];
  }

  std::string number(std::uint64_t first, std::uint64_t last) {
    return fmt::format("{}", first + random_.below(last - first + 1));
  }

  std::string id() { return number(1, 3); }

  std::string value() { return random_.chance(0.15) ? "NULL" : number(0, 3); }

  // Over the columns of t.
  std::string condition() {
    switch (random_.below(11)) {
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
        return "true";
      default:
        return "id = " + id();
    }
  }

  std::string one_value() {
    switch (random_.below(7)) {
      case 0:
        return "sum(v) {} FROM t WHERE " + condition();
      case 5:
        return "count(*) {} FROM (SELECT v FROM t UNION SELECT n FROM g) s";
      case 6:
        return fmt::format(
            "max(s.total) {{}} FROM (SELECT u, sum(v) AS total FROM t WHERE {} "
            "GROUP BY u) s",
            condition());
      case 1:
        return "count(*) {} FROM c";
      case 2:
        return fmt::format("n {{}} FROM g WHERE id = {}", number(1, 2));
      case 3:
        return "max(t.v) {} FROM t JOIN g ON g.id = t.id";
      default:
        return fmt::format("v {{}} FROM t WHERE id = {}", id());
    }
  }

  std::string query() {
    std::string text = one_value();
    const std::size_t place = text.find("{} ");
    text.replace(place, 3, is_script_ ? "" : "INTO x ");
    return "SELECT " + text;
  }

  std::string expression() {
    switch (random_.below(7)) {
      case 0:
        return value();
      case 1:
        return is_script_ ? "v - 1" : "x";
      case 2:
        return "v + (SELECT count(*) FROM c)";
      case 3:
        return "(SELECT max(s.v) FROM t s)";
      default:
        return "v + 1";
    }
  }

  std::string update() {
    switch (random_.below(12)) {
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
      default:
        return fmt::format("UPDATE t SET v = {} WHERE {}", expression(), condition());
    }
  }

  std::string insert() {
    const std::string row =
        fmt::format("({}, {}, {})", number(1, 4), value(), number(1, 4));
    switch (random_.below(9)) {
      case 0:
        return fmt::format("INSERT INTO t VALUES {}{}", row, any_conflict);
      case 1:
        return fmt::format(
            "INSERT INTO t VALUES {} ON CONFLICT (id) DO UPDATE SET v = t.v + 1", row);
      case 2:
        return fmt::format(
            "INSERT INTO t VALUES {}{} DO UPDATE SET v = "
            "excluded.v WHERE t.v > 0",
            row, conflict_of_u);
      case 3:
      case 4:
        return fmt::format("INSERT INTO c VALUES ({}, {}, 0)", number(1, 3), id());
      case 5:
        return fmt::format("INSERT INTO g SELECT id + 1, v FROM t WHERE {}", condition());
      default:
        return "INSERT INTO t VALUES " + row;
    }
  }

  std::string erase() {
    switch (random_.below(5)) {
      case 0:
        return "DELETE FROM c WHERE pid = " + id();
      case 1:
        return "DELETE FROM t USING g WHERE g.id = t.id AND g.n > 0";
      case 2:
        return "DELETE FROM g WHERE id = " + number(1, 2);
      default:
        return "DELETE FROM t WHERE " + condition();
    }
  }

  std::string lock_rows() {
    static constexpr std::array strengths = {"KEY SHARE", "SHARE", "NO KEY UPDATE",
                                             "UPDATE", "UPDATE"};
    static constexpr std::array waits = {"", "", "", " NOWAIT", " SKIP LOCKED"};
    const std::string lock = fmt::format("FOR {}", pick(strengths));
    const std::string first = is_script_ ? "SELECT" : "PERFORM";
    switch (random_.below(7)) {
      case 6:
        return fmt::format("{} count(*) FROM (SELECT v FROM t WHERE {} ORDER BY id {}{}) s",
                           first, condition(), lock, pick(waits));
      case 0:
        return fmt::format("{} n FROM g {}{}", first, lock, pick(waits));
      case 1:
        return fmt::format("{} v FROM t ORDER BY id LIMIT 1 {}{}", first, lock,
                           pick(waits));
      case 2:
        return fmt::format("{} t.v FROM t JOIN g ON g.id = t.id {}{}{}", first, lock,
                           random_.chance(0.5) ? " OF t" : "", pick(waits));
      default:
        return fmt::format("{} v FROM t WHERE {} {}{}", first, condition(), lock,
                           pick(waits));
    }
  }

  // Queries inside of a statement that lock, rows that are computed in FROM, and WITH.
  std::string computed() {
    const std::string lock = random_.chance(0.6) ? " FOR UPDATE" : "";
    const std::string skip = !lock.empty() && random_.chance(0.3) ? " SKIP LOCKED" : "";
    switch (random_.below(8)) {
      case 0:
        return fmt::format(
            "UPDATE t SET v = 0 WHERE id = (SELECT id FROM t WHERE {} ORDER BY id LIMIT "
            "1{}{})",
            condition(), lock, skip);
      case 1:
        return fmt::format(
            "WITH x AS (SELECT id, v FROM t WHERE {}{}) UPDATE t SET v = x.v + 1 FROM x "
            "WHERE "
            "t.id = x.id",
            condition(), lock);
      case 2:
        return fmt::format(
            "UPDATE t SET v = s.total FROM (SELECT sum(n) AS total FROM g) s WHERE {}",
            condition());
      case 3:
        return fmt::format(
            "WITH x AS (DELETE FROM c WHERE pid = {} RETURNING id) UPDATE t SET v = "
            "(SELECT "
            "count(*) FROM x) WHERE {}",
            id(), condition());
      case 4:
        return fmt::format(
            "WITH x AS (UPDATE t SET v = v + 1 WHERE id = {} RETURNING id, v) INSERT INTO "
            "g "
            "SELECT id + 1, v FROM x",
            id());
      case 5:
        return fmt::format(
            "WITH x AS (DELETE FROM t WHERE {}), y AS (UPDATE g SET n = n + 1 WHERE id = "
            "{}) "
            "UPDATE t SET v = 3 WHERE id = {}",
            condition(), number(1, 2), id());
      case 6:
        return fmt::format("INSERT INTO g SELECT id + 1, v FROM t WHERE id = {}{}", id(),
                           lock);
      default:
        return fmt::format(
            "UPDATE g SET n = (SELECT max(s.v) FROM (SELECT v FROM t WHERE {}{}) s) WHERE "
            "id = "
            "{}",
            condition(), lock, number(1, 2));
    }
  }

  std::string merge() {
    static constexpr std::array matched = {"UPDATE SET v = t.v + 1", "UPDATE SET v = 0",
                                           "DELETE", "DO NOTHING"};
    const std::string when = fmt::format(
        "{}WHEN MATCHED THEN {}",
        random_.chance(0.4) ? "WHEN MATCHED AND t.v > 0 THEN DELETE " : "", pick(matched));
    if (random_.chance(0.3))
      return fmt::format(
          "MERGE INTO t USING g ON t.id = g.id {} WHEN NOT MATCHED THEN INSERT VALUES "
          "(g.id, "
          "g.n, g.id)",
          when);
    return fmt::format(
        "MERGE INTO t USING (VALUES ({})) s(k) ON t.id = s.k {} WHEN NOT MATCHED THEN {}",
        number(1, 4), when,
        random_.chance(0.7) ? fmt::format("INSERT VALUES (s.k, {}, s.k)", value())
                            : "DO NOTHING");
  }

  std::string lock_table() {
    static constexpr std::array modes = {"SHARE", "ROW EXCLUSIVE", "EXCLUSIVE",
                                         "SHARE ROW EXCLUSIVE", "ACCESS EXCLUSIVE"};
    return fmt::format("LOCK TABLE {} IN {} MODE", random_.chance(0.5) ? "t" : "g",
                       pick(modes));
  }

  std::string advisory() {
    return fmt::format("{} pg_{}advisory_xact_lock{}(1)", is_script_ ? "SELECT" : "PERFORM",
                       random_.chance(0.3) ? "try_" : "",
                       random_.chance(0.3) ? "_shared" : "");
  }

  std::string range() {
    const auto first = random_.below(5);
    if (random_.chance(0.1)) return random_.chance(0.5) ? "NULL" : "'empty'";
    return fmt::format("int4range({}, {}{})", first, first + 1 + random_.below(3),
                       random_.chance(0.3) ? ", '[]'" : "");
  }

  // On b, whose ranges do not overlap.
  std::string booking() {
    switch (random_.below(9)) {
      case 0:
        return fmt::format("INSERT INTO b VALUES ({}, {}){}", number(1, 4), range(),
                           any_booking_conflict);
      case 1:
        return fmt::format("UPDATE b SET r = {} WHERE id = {}", range(), number(1, 3));
      case 2:
        return fmt::format("UPDATE b SET id = id + 3 WHERE id = {}", number(1, 2));
      case 3:
        return fmt::format("DELETE FROM b WHERE id = {}", number(1, 3));
      case 4:
        return fmt::format("SELECT count(*) {}FROM b WHERE r && {}",
                           is_script_ ? "" : "INTO x ", range());
      case 5:
        return "UPDATE b SET r = int4range(lower(r) + 1, upper(r) + 1)";
      default:
        return fmt::format("INSERT INTO b VALUES ({}, {})", number(1, 4), range());
    }
  }

  std::string set_constraints() {
    static constexpr std::array modes = {"IMMEDIATE", "IMMEDIATE", "DEFERRED"};
    return fmt::format("SET CONSTRAINTS ALL {}", pick(modes));
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
  Extras extras_;
};

// SAVEPOINT a, a statement or two, and perhaps back.
void add_savepoint(Random& random, Statements& statements, std::vector<std::string>& out) {
  out.push_back("SAVEPOINT a");
  for (auto count = random.below(2) + 1; count > 0; --count)
    out.push_back(statements.any(0));
  const auto roll = random.below(4);
  if (roll < 3) out.push_back(roll == 0 ? "RELEASE a" : "ROLLBACK TO a");
}

// Two rows, one after the other: in another order elsewhere, that is a deadlock.
void add_crossing(Random& random, std::vector<std::string>& out) {
  const auto first = random.below(2) + 1;
  for (const auto id : {first, 3 - first})
    out.push_back(random.chance(0.7)
                      ? fmt::format("UPDATE t SET v = v + 1 WHERE id = {}", id)
                      : fmt::format("UPDATE g SET n = n + 1 WHERE id = {}", id));
}

RandomApplication::Transaction random_transaction(Random& random, bool is_script,
                                                  Statements::Extras extras) {
  RandomApplication::Transaction out;
  out.level = levels[random.below(levels.size())];
  out.is_script = is_script;
  Statements statements(random, out.is_script, extras);
  for (auto count = random.below(3) + 1; count > 0; --count) {
    if (out.is_script && random.chance(0.25))
      add_savepoint(random, statements, out.statements);
    else
      out.statements.push_back(statements.any(2));
  }
  if (random.chance(0.25)) add_crossing(random, out.statements);
  if (!out.is_script && random.chance(0.1))
    out.statements.push_back("RAISE EXCEPTION 'no'");
  return out;
}

std::vector<std::string> random_rows(Random& random) {
  std::vector<std::string> out;
  for (int id = 1; id <= 3; ++id)
    if (random.chance(0.75))
      out.push_back(fmt::format(
          "INSERT INTO t VALUES ({}, {}, {})", id,
          random.chance(0.1) ? "NULL" : fmt::format("{}", random.below(3)), id));
  for (int id = 1; id <= 2; ++id)
    if (random.chance(0.7))
      out.push_back(fmt::format("INSERT INTO g VALUES ({}, {})", id, random.below(2)));
  if (random.chance(0.5)) out.push_back("INSERT INTO c SELECT 1, min(id), 0 FROM t");
  return out;
}

}  // namespace

RandomApplication random_application(std::uint64_t seed) {
  static constexpr std::array actions = {"NO ACTION", "RESTRICT", "CASCADE", "SET NULL"};
  static constexpr std::array deferrals = {" DEFERRABLE", " DEFERRABLE INITIALLY DEFERRED"};
  Random random(seed);
  RandomApplication out;
  out.on_delete = actions[random.below(actions.size())];
  out.on_update = actions[random.below(actions.size())];
  out.rows = random_rows(random);
  const bool has_family = random.chance(0.5);
  if (has_family) {
    out.family = family_table(random);
    const auto rows = family_rows(random);
    out.rows.insert(out.rows.end(), rows.begin(), rows.end());
  }
  out.retries = random.chance(0.15);
  const bool is_one_level = random.chance(0.6);
  const std::string level = levels[random.below(levels.size())];
  const std::uint64_t sessions = random.chance(0.55) ? 2 : 3;
  out.has_ranges = random.chance(0.25);
  for (std::uint64_t i = 0; i < sessions; ++i) {
    auto& transactions = out.sessions.emplace_back();
    const bool is_script = random.chance(0.3);
    const int count = random.chance(0.15) ? 2 : 1;
    for (int j = 0; j < count; ++j)
      transactions.push_back(random_transaction(
          random, is_script, {.has_ranges = out.has_ranges, .has_family = has_family}));
    if (is_one_level)
      for (auto& transaction : transactions)
        transaction.level = level;
    for (auto& transaction : transactions)
      if (is_script && random.chance(0.1)) transaction.level += " READ ONLY";
  }
  // Drawn last, so that what comes of a seed is otherwise what it was.
  if (random.chance(0.5)) out.key_of_u = random.below(keys_of_u.size());
  // The second family refers to t.u.
  if (has_family && keys_of_u[out.key_of_u].column != keys_of_u[0].column) out.key_of_u = 0;
  if (out.has_ranges && random.chance(0.7))
    out.rows.emplace_back("INSERT INTO b VALUES (1, '[1,3)'), (2, '[3,5)')");
  if (out.has_ranges && random.chance(0.5))
    out.exclusion_deferral = deferrals[random.below(deferrals.size())];
  if (random.chance(0.3)) out.deferral = deferrals[random.below(deferrals.size())];
  return out;
}

std::string RandomApplication::in_terms_of_keys(const std::string& statement) const {
  const KeyOfU& key = keys_of_u[key_of_u];
  const std::string of_u = replaced(replaced(statement, conflict_of_u, key.conflict_of_u),
                                    any_conflict, key.any_conflict);
  return replaced(of_u, any_booking_conflict,
                  exclusion_deferral.empty() ? any_conflict : nothing_of_id);
}

std::string RandomApplication::sql() const {
  std::string out = fmt::format(
      "CREATE TABLE t (id int PRIMARY KEY, v int, u int{});\n{}"
      "CREATE TABLE g (id int PRIMARY KEY, n int);\n"
      "CREATE TABLE c (id int PRIMARY KEY, pid int REFERENCES t ON DELETE {} ON UPDATE "
      "{}{}, w int);\n",
      keys_of_u[key_of_u].column, keys_of_u[key_of_u].index, on_delete, on_update,
      deferral);
  if (has_ranges)
    out += fmt::format(
        "CREATE TABLE b (id int PRIMARY KEY, r int4range, EXCLUDE USING gist (r WITH &&)"
        "{});\n",
        exclusion_deferral);
  out += family;
  for (std::size_t i = 0; i < sessions.size(); ++i)
    for (std::size_t j = 0; j < sessions[i].size(); ++j) {
      if (sessions[i][j].is_script) continue;
      out += fmt::format(
          "CREATE PROCEDURE p{}{}() LANGUAGE plpgsql AS $$ DECLARE x int; BEGIN\n", i, j);
      for (const std::string& statement : sessions[i][j].statements)
        out += fmt::format("  {};\n", in_terms_of_keys(statement));
      out += "END $$;\n";
    }
  return out;
}

std::string RandomApplication::scenario() const {
  std::string out =
      fmt::format("app = \"app.sql\"\n[init]\nsql = \"{}\"\n", fmt::join(rows, "; "));
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const bool is_script = sessions[i][0].is_script;
    out += fmt::format("[[session]]\nname = \"{}\"\n", static_cast<char>('A' + i));
    if (retries) out += "retry = 1\n";
    std::vector<std::string> parts;
    for (std::size_t j = 0; j < sessions[i].size(); ++j) {
      const Transaction& transaction = sessions[i][j];
      std::vector<std::string> statements;
      for (const std::string& statement : transaction.statements)
        statements.push_back(in_terms_of_keys(statement));
      parts.push_back(is_script
                          ? fmt::format("BEGIN ISOLATION LEVEL {};\n{};\nCOMMIT;\n",
                                        transaction.level, fmt::join(statements, ";\n"))
                          : fmt::format("\"p{}{}()\"", i, j));
      if (!is_script) out += fmt::format("# level p{}{} = {}\n", i, j, transaction.level);
    }
    out += is_script ? fmt::format("script = '''\n{}'''\n", fmt::join(parts, ""))
                     : fmt::format("calls = [{}]\n", fmt::join(parts, ", "));
  }
  return out;
}

std::vector<RandomApplication> smaller(const RandomApplication& application) {
  std::vector<RandomApplication> out;
  const auto without = [&](auto part) {
    RandomApplication& less = out.emplace_back(application);
    part(less);
  };
  for (std::size_t i = 0; i < application.sessions.size(); ++i) {
    const auto place = static_cast<std::ptrdiff_t>(i);
    if (application.sessions.size() > 1)
      without([&](auto& less) { less.sessions.erase(less.sessions.begin() + place); });
    for (std::size_t j = 0; j < application.sessions[i].size(); ++j) {
      const auto second = static_cast<std::ptrdiff_t>(j);
      if (application.sessions[i].size() > 1)
        without(
            [&](auto& less) { less.sessions[i].erase(less.sessions[i].begin() + second); });
      for (std::size_t k = 0; k < application.sessions[i][j].statements.size(); ++k)
        if (application.sessions[i][j].statements.size() > 1)
          without([&](auto& less) {
            auto& statements = less.sessions[i][j].statements;
            statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(k));
          });
    }
  }
  for (std::size_t i = 0; i < application.rows.size(); ++i)
    without([&](auto& less) {
      less.rows.erase(less.rows.begin() + static_cast<std::ptrdiff_t>(i));
    });
  if (application.key_of_u != 0) without([](auto& less) { less.key_of_u = 0; });
  if (!application.deferral.empty()) without([](auto& less) { less.deferral.clear(); });
  if (!application.exclusion_deferral.empty())
    without([](auto& less) { less.exclusion_deferral.clear(); });
  if (application.retries) without([](auto& less) { less.retries = false; });
  for (const bool is_delete : {true, false}) {
    const std::string& action = is_delete ? application.on_delete : application.on_update;
    if (action != "NO ACTION")
      without(
          [&](auto& less) { (is_delete ? less.on_delete : less.on_update) = "NO ACTION"; });
  }
  return out;
}

}  // namespace isomer::test
