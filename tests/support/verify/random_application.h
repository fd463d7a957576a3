// SPDX-License-Identifier: MIT
// Random small SQL applications with a scenario, to compare engines that should agree: two
// tables, a few transactions of a few statements, one invariant that some of them break.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"

namespace isomer {

struct RandomApplication {
  std::string sql;
  std::string scenario;  // for a file beside app.sql
};

class ApplicationMaker {
 public:
  explicit ApplicationMaker(std::uint64_t seed) : random_(seed) {}

  RandomApplication make() {
    std::string sql = "CREATE TABLE acc (id int PRIMARY KEY, owner int NOT NULL, n int";
    sql += chance(2) ? " NOT NULL" : "";
    sql += chance(4) ? " CHECK (n >= -3)" : "";
    sql += chance(6) ? ", UNIQUE (owner, n)" : "";
    sql += ");\nCREATE TABLE log (a int, b int, v int, PRIMARY KEY (a, b)";
    sql += chance(4) ? ", FOREIGN KEY (a) REFERENCES acc (id)" : "";
    sql += ");\n";
    const std::uint64_t types = 1 + random_.below(2);
    for (std::uint64_t i = 0; i < types; ++i)
      sql += transaction(i);
    std::string scenario = "app = \"app.sql\"\n[init]\nsql = \"\"\"\n";
    scenario += initial_rows();
    scenario += "\"\"\"\n";
    std::uint64_t calls = 2 + random_.below(2);
    for (int s = 0; calls > 0; ++s) {
      const std::uint64_t here = calls == 3 && chance(3) ? 2 : 1;
      scenario += fmt::format("[[session]]\nname = \"s{}\"\ncalls = [", s);
      for (std::uint64_t i = 0; i < here; ++i)
        scenario += fmt::format("\"t{}({}, {})\", ", random_.below(types),
                                1 + random_.below(3), random_.below(4));
      scenario += "]\n";
      calls -= here;
    }
    scenario += fmt::format("[invariant]\n\"holds\" = \"{}\"\n", invariant());
    return {std::move(sql), std::move(scenario)};
  }

 private:
  bool chance(std::uint64_t one_in) { return random_.below(one_in) == 0; }

  std::string pick(const std::vector<std::string>& from) {
    return from[random_.below(from.size())];
  }

  std::string number() {
    return pick({"0", "1", "2", "x", "y", "v", "w", "y + 1", "v + 1"});
  }

  std::string key() { return pick({"1", "2", "3", "x", "x", "x", "w"}); }

  std::string where_acc() {
    switch (random_.below(6)) {
      case 0:
        return "";
      case 1:
        return " WHERE owner = " + pick({"1", "2", "y"});
      case 2:
        return " WHERE acc.n " + pick({">", "<=", "="}) + " " + number();
      case 3:
        return " WHERE id <> " + key();
      default:
        return " WHERE id = " + key();
    }
  }

  std::string condition() {
    switch (random_.below(4)) {
      case 0:
        return fmt::format("EXISTS (SELECT 1 FROM acc{})", where_acc());
      case 1:
        return fmt::format("{} IN (SELECT v FROM log)", number());
      default:
        return fmt::format("{} {} {}", pick({"v", "w", "x", "y"}),
                           pick({">", "<", "=", "<>", ">="}), number());
    }
  }

  std::string statement(int depth) {
    const std::string pad(static_cast<std::size_t>(2 * depth), ' ');
    return pad + statement_text(depth);
  }

  std::string statement_text(int depth) {
    switch (random_.below(depth < 3 ? 18 : 13)) {
      case 0:
        return fmt::format("SELECT n INTO {} FROM acc WHERE id = {};\n", pick({"v", "w"}),
                           key());
      case 1:
        return fmt::format("SELECT {} INTO {} FROM acc{};\n",
                           pick({"coalesce(sum(n), 0)", "count(*)", "max(n)", "min(id)"}),
                           pick({"v", "w"}), where_acc());
      case 2:
      case 3:
        return fmt::format("UPDATE acc SET n = {}{};\n",
                           pick({"n + 1", "n - 1", "n + y", number(), "v - 1"}),
                           where_acc());
      case 4:
        return fmt::format(
            "INSERT INTO acc VALUES ({}, {}, {}){};\n", key(), pick({"1", "2", "y"}),
            number(),
            pick({"", "", " ON CONFLICT DO NOTHING",
                  " ON CONFLICT (id) DO UPDATE SET n = acc.n + excluded.n"}));
      case 5:
        return fmt::format("INSERT INTO log VALUES ({}, {}, {}){};\n", key(),
                           pick({"0", "y"}), number(),
                           pick({"", " ON CONFLICT DO NOTHING"}));
      case 6:
        return fmt::format("DELETE FROM {};\n",
                           chance(2) ? "acc" + where_acc() : "log WHERE a = " + key());
      case 7:
        return fmt::format("SELECT count(*) INTO {} FROM acc JOIN log ON a = id{};\n",
                           pick({"v", "w"}), where_acc());
      case 8:
        return fmt::format("SELECT n, id INTO v, w FROM acc{} ORDER BY n {}, id LIMIT 1;\n",
                           where_acc(), pick({"", "DESC"}));
      case 9:
        return fmt::format("SELECT n INTO v FROM acc WHERE id = {} FOR UPDATE;\n", key());
      case 10:
        return fmt::format("{} := {};\n", pick({"v", "w"}), number());
      case 11:
        return fmt::format("UPDATE log SET v = log.v + 1 WHERE a = {};\n", key());
      case 12:
        return fmt::format(
            "INSERT INTO log SELECT id, {}, acc.n FROM acc{} ON CONFLICT DO NOTHING;\n",
            pick({"0", "1", "y"}), where_acc());
      case 13:
        return fmt::format("IF NOT FOUND THEN\n{}{:>{}}END IF;\n", statement(depth + 1), "",
                           2 * depth);
      case 14:
        return fmt::format("IF {} THEN RAISE EXCEPTION 'no'; END IF;\n", condition());
      case 15:
        if (chance(2)) return fmt::format("ASSERT {} >= -2;\n", pick({"v", "w"}));
        return fmt::format(
            "FOR r IN SELECT id, n FROM acc{} LOOP\n{:>{}}UPDATE acc SET n = acc.n + {} "
            "WHERE id = "
            "r.id;\n{:>{}}END LOOP;\n",
            where_acc(), "", 2 * depth + 2, pick({"1", "r.n", "y"}), "", 2 * depth);
      default: {
        std::string out = fmt::format("IF {} THEN\n{}", condition(), statement(depth + 1));
        if (chance(2))
          out += fmt::format("{:>{}}ELSE\n{}", "", 2 * depth, statement(depth + 1));
        return out + fmt::format("{:>{}}END IF;\n", "", 2 * depth);
      }
    }
  }

  std::string transaction(std::uint64_t number) {
    std::string body;
    for (std::uint64_t i = 2 + random_.below(3); i > 0; --i)
      body += statement(1);
    return fmt::format(
        "CREATE PROCEDURE t{}(x int, y int) LANGUAGE plpgsql AS $$\n"
        "DECLARE v int := 0; w int := 1; r record;\nBEGIN\n{}END $$;\n",
        number, body);
  }

  std::string initial_rows() {
    std::string out;
    for (int id = 1; id <= 3; ++id)
      if (!chance(3))
        out +=
            fmt::format("INSERT INTO acc VALUES ({}, {}, {});\n", id, 1 + random_.below(2),
                        random_.below(3) + 3 * static_cast<std::uint64_t>(id));
    return out;
  }

  std::string invariant() {
    switch (random_.below(6)) {
      case 0:
        return fmt::format("SELECT coalesce(sum(n), 0) {} {} FROM acc",
                           pick({">=", "<=", "<>"}), random_.below(16));
      case 1:
        return fmt::format("SELECT count(*) <= {} FROM acc", 1 + random_.below(3));
      case 2:
        return fmt::format("SELECT count(*) <= {} FROM log", random_.below(3));
      case 3:
        return "SELECT NOT EXISTS (SELECT 1 FROM log LEFT JOIN acc ON a = id WHERE id IS "
               "NULL)";
      case 4:
        return fmt::format("SELECT coalesce(max(n), 0) < {} FROM acc",
                           3 + random_.below(10));
      default:
        return "SELECT NOT EXISTS (SELECT 1 FROM acc p JOIN acc q ON p.n = q.n WHERE p.id "
               "< q.id)";
    }
  }

  Random random_;
};

// Writes the two files, and says where the scenario is.
inline std::string written_application(const RandomApplication& application,
                                       const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "app.sql") << application.sql;
  std::ofstream(folder / "app.toml") << application.scenario;
  return (folder / "app.toml").string();
}

}  // namespace isomer
