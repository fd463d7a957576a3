// SPDX-License-Identifier: MIT
#include "random_schedules.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "program/scenario/scenario.h"
#include "program/value.h"

namespace isomer::explore {
namespace {

using database::IsolationLevel;

struct Generator {
  Random random;
  database::Database database;
  Errors errors = Errors::Caught;

  // SQLite has locks of its file alone.
  [[nodiscard]] bool has_row_locks() const {
    return database != database::Database::Sqlite;
  }

  [[nodiscard]] bool is_postgresql() const {
    return database == database::Database::PostgreSql;
  }

  std::uint64_t below(std::uint64_t bound) { return random.below(bound); }

  std::string key() { return std::to_string(1 + below(2)); }

  std::string number() { return std::to_string(below(3)); }

  std::string where() {
    switch (below(6)) {
      case 0:
        return "WHERE a > " + number();
      case 1:
        return "WHERE id = " + key() + " AND b IS NULL";
      case 2:
        return "WHERE b IN (SELECT v FROM u)";
      case 3:
        return "";
      default:
        return "WHERE id = " + key();
    }
  }

  std::string read() {
    switch (below(4)) {
      case 0:
        return "SELECT v INTO x FROM u WHERE id = " + key() + ";";
      case 1:
        return "SELECT count(*) INTO x FROM c;";
      default:
        return fmt::format("SELECT sum(a) INTO x FROM t {};", where());
    }
  }

  std::string lock() {
    static constexpr std::array strengths = {"KEY SHARE", "SHARE", "NO KEY UPDATE",
                                             "UPDATE"};
    static constexpr std::array waits = {"", "", "", " NOWAIT", " SKIP LOCKED"};
    const std::string what =
        below(4) == 0 ? "SELECT a INTO x FROM t ORDER BY id LIMIT 1"
                      : fmt::format("SELECT a INTO x FROM t WHERE id = {}", key());
    const std::size_t strength = below(4);
    return fmt::format("{} FOR {}{};", what,
                       is_postgresql() ? strengths[strength] : strengths[strength | 1U],
                       waits[below(5)]);
  }

  std::string update() {
    switch (below(8)) {
      case 0:
        return fmt::format("UPDATE t SET a = x + 1 {};", where());
      case 1:
        return fmt::format("UPDATE t SET b = (SELECT count(*) FROM u) {};", where());
      case 2:
        return fmt::format("UPDATE u SET {} = {} WHERE id = {};",
                           is_postgresql() && below(3) == 0 ? "v" : "k", number(), key());
      case 3:
        return fmt::format("UPDATE t SET id = id + 2 WHERE id = {};", key());
      case 4:
        return fmt::format("UPDATE c SET p = {} WHERE id = {};", key(), key());
      default:
        return fmt::format("UPDATE t SET a = a + {} {};", 1 + below(2), where());
    }
  }

  std::string insert() {
    const std::string row = fmt::format("({}, {}, {})", key(), number(), number());
    switch (below(5)) {
      case 0:
        return fmt::format("INSERT INTO u VALUES {} ON CONFLICT (id) DO NOTHING;", row);
      case 1:
        return fmt::format(
            "INSERT INTO u VALUES {} ON CONFLICT (id) DO UPDATE SET v = u.v + 1;", row);
      case 2:
        return fmt::format("INSERT INTO c VALUES ({}, {});", key(), key());
      case 3:
        return fmt::format("INSERT INTO t VALUES ({}, {}, NULL);", 3 + below(2), number());
      default:
        return fmt::format("INSERT INTO u VALUES {};", row);
    }
  }

  std::string erase() {
    switch (below(3)) {
      case 0:
        return fmt::format("DELETE FROM u WHERE id = {};", key());
      case 1:
        return fmt::format("DELETE FROM c WHERE p = {};", key());
      default:
        return fmt::format("DELETE FROM t WHERE id = {};", key());
    }
  }

  std::string other_lock() {
    static constexpr std::array modes = {"SHARE", "EXCLUSIVE", "ACCESS EXCLUSIVE"};
    if (below(3) == 0)
      return fmt::format("SET CONSTRAINTS ALL {};",
                         below(3) == 0 ? "DEFERRED" : "IMMEDIATE");
    return below(2) == 0 ? fmt::format("PERFORM pg_advisory_xact_lock({});", key())
                         : fmt::format("LOCK TABLE {} IN {} MODE;",
                                       below(2) == 0 ? "t" : "u", modes[below(3)]);
  }

  // What has steps inside of it, or several changes.
  std::string computed() {
    const std::string lock = below(2) == 0 ? " FOR UPDATE" : "";
    switch (below(6)) {
      case 0:
        return fmt::format(
            "UPDATE t SET a = 5 WHERE id = (SELECT id FROM t {} ORDER BY id "
            "LIMIT 1{});",
            where(), lock);
      case 1:
        return fmt::format(
            "WITH w AS (SELECT id, a FROM t {}{}) UPDATE t SET a = w.a + 1 "
            "FROM w WHERE t.id = w.id;",
            where(), lock);
      case 2:
        return fmt::format(
            "WITH w AS (DELETE FROM c WHERE p = {} RETURNING id) UPDATE t SET "
            "b = (SELECT count(*) FROM w) {};",
            key(), where());
      case 3:
        return fmt::format(
            "SELECT max(n) INTO x FROM (SELECT a AS n FROM t UNION SELECT v "
            "FROM u WHERE id = {}) s;",
            key());
      default:
        return fmt::format(
            "MERGE INTO u USING (VALUES ({})) s(id) ON u.id = s.id WHEN "
            "MATCHED AND u.v < {} THEN UPDATE SET v = u.v + 1 WHEN MATCHED "
            "THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id, {}, 0);",
            key(), number(), number());
    }
  }

  std::string statement() {
    switch (below(is_postgresql() ? 16 : 14)) {
      case 14:
      case 15:
        return computed();
      case 0:
      case 1:
      case 2:
        return read();
      case 3:
      case 4:
        return has_row_locks() ? lock() : read();
      case 5:
      case 6:
      case 7:
        return update();
      case 8:
      case 9:
        return insert();
      case 10:
        return erase();
      case 11:
        if (errors == Errors::EndTheCall) return update();
        return fmt::format("BEGIN {} EXCEPTION WHEN OTHERS THEN x := 9; END;",
                           below(2) == 0 ? insert() : update());
      case 12:
        return fmt::format("IF x > {} THEN {} END IF;", number(), update());
      default:
        return below(3) == 0 && is_postgresql() ? other_lock() : update();
    }
  }

  // How u.k is unique, and how c.p refers to t.
  void choose_keys(std::string& tables) {
    static constexpr std::array keys = {
        "k int UNIQUE, v int);\n",
        "k int UNIQUE, v int);\n",
        "k int UNIQUE DEFERRABLE, v int);\n",
        "k int UNIQUE DEFERRABLE INITIALLY DEFERRED, v int);\n",
        "k int, v int);\nCREATE UNIQUE INDEX ON u (k) WHERE v > 0;\n",
        "k int, v int);\nCREATE UNIQUE INDEX ON u ((k % 2));\n",
        "k int, v int, EXCLUDE USING gist (int4range(k, k + 2) WITH &&));\n",
        "k int, v int, EXCLUDE USING gist (int4range(k, k + 2) WITH &&) DEFERRABLE "
        "INITIALLY DEFERRED);\n",
    };
    static constexpr std::array references = {"", "", " DEFERRABLE",
                                              " DEFERRABLE INITIALLY DEFERRED"};
    const std::string_view key = keys[0];
    tables.replace(tables.find(key), key.size(), keys[below(keys.size())]);
    tables.insert(tables.rfind(')'), references[below(references.size())]);
  }

  std::string procedure(std::uint64_t index) {
    std::string body;
    for (std::uint64_t i = 1 + below(3); i > 0; --i)
      body += "  " + statement() + "\n";
    return fmt::format(
        "CREATE PROCEDURE p{}() LANGUAGE plpgsql AS $$\nDECLARE x int := 0;\nBEGIN\n{}END "
        "$$;\n",
        index, body);
  }
};

// Tables, rows and procedures, and sessions that call one each.
RandomScenario random_application(Generator& generator) {
  RandomScenario out;
  const bool cascades = generator.below(3) == 0;
  out.application = fmt::format(
      "CREATE TABLE t (id int PRIMARY KEY, a int, b int);\n"
      "CREATE TABLE u (id int PRIMARY KEY, k int UNIQUE, v int);\n"
      "CREATE TABLE c (id int PRIMARY KEY, p int REFERENCES t{});\n",
      cascades ? " ON DELETE CASCADE" : "");
  if (generator.is_postgresql()) generator.choose_keys(out.application);
  out.sessions = "[init]\nsql = \"\"\"\n";
  if (generator.below(8) != 0)
    out.sessions += "INSERT INTO t VALUES (1, 1, NULL), (2, 0, 1);\n";
  if (generator.below(2) == 0) out.sessions += "INSERT INTO u VALUES (1, 1, 1);\n";
  out.sessions += "\"\"\"\n";
  const std::uint64_t sessions = 2 + (generator.below(3) == 0 ? 1 : 0);
  for (std::uint64_t i = 0; i < sessions; ++i) {
    out.application += generator.procedure(i);
    out.sessions += fmt::format("[[session]]\nname = \"s{}\"\ncalls = [\"p{}()\"]\n", i, i);
  }
  out.begin.resize(sessions);
  return out;
}

}  // namespace

RandomScenario random_scenario(std::uint64_t seed, database::Database database,
                               Errors errors) {
  Generator generator{.random = Random(seed), .database = database, .errors = errors};
  RandomScenario out = random_application(generator);
  const bool is_mixed = generator.below(3) == 0;
  const std::uint64_t levels = database == database::Database::MariaDb ? 4 : 3;
  const std::uint64_t common = generator.below(levels);
  for (database::BeginOptions& begin : out.begin) {
    const std::uint64_t level = is_mixed ? generator.below(levels) : common;
    begin.level = level == 0   ? IsolationLevel::ReadCommitted
                  : level == 1 ? IsolationLevel::RepeatableRead
                  : level == 2 ? IsolationLevel::Serializable
                               : IsolationLevel::ReadUncommitted;
    begin.is_immediate = database == database::Database::Sqlite && level == 0;
  }
  return out;
}

program::Program program_of(const RandomScenario& scenario) {
  const auto folder = std::filesystem::temp_directory_path() /
                      fmt::format("isomer-random-schedules-{}", ::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "app.sql") << scenario.application;
  auto program = program::parse_scenario((folder / "scenario.toml").string(),
                                         "app = \"app.sql\"\n" + scenario.sessions);
  std::filesystem::remove_all(folder);
  if (!program) ADD_FAILURE() << render(program.error()) << scenario.application;
  return program ? std::move(*program) : program::Program{};
}

std::string told(const std::vector<std::vector<database::CallEnd>>& calls,
                 const TableRows& rows) {
  std::string out;
  for (const auto& session : calls)
    for (const database::CallEnd& call : session)
      out += std::to_string(static_cast<int>(call.kind)) + call.fault.sqlstate +
             std::to_string(call.attempts) + " ";
  for (const auto& table : rows) {
    out += "| ";
    for (const auto& row : table)
      for (const program::Value& value : row)
        out += to_text(value) + " ";
  }
  return out;
}

}  // namespace isomer::explore
