// SPDX-License-Identifier: MIT
// Whatever we write, we read: scenarios and levels of anomalies in applications whose names
// need quotes.
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audit/audit.h"
#include "base/random.h"
#include "explore/explore.h"
#include "level/library.h"
#include "program/load.h"
#include "program/scenario/scenario.h"
#include "program/scenario/write.h"
#include "support/command.h"
#include "support/effort.h"

namespace isomer::test {
namespace {

// Case, spaces, keywords, quotes of all kinds, and what means something to SQL, to TOML or
// to scenarios.
std::string nasty_name(Random& random) {
  const std::vector<std::string> words{
      "goHome", "select", "user", "coalesce",    "a b", "x",      "Größe", "it's",
      "\"",     "''",     "'''",  "\\",          "(",   ")",      "?x",    "#",
      "--",     "/*",     ";",    "[[session]]", "1st", "äß",     "=",     "current_date",
      "\"\"\"", "$$",     "日本", ".",           ",",   "default"};
  std::string out = words[random.below(words.size())];
  while (random.below(2) == 0)
    out += words[random.below(words.size())];
  return out;
}

std::string quoted(const std::string& name) {
  std::string out = "\"";
  for (const char c : name)
    out += std::string(c == '"' ? 2 : 1, c);
  return out + '"';
}

// The rule of PostgreSQL, by which the file is written: every name in quotes.
std::string application(Random& random) {
  const std::string table = quoted(nasty_name(random));
  const std::string key = quoted("k" + nasty_name(random));
  const std::string state = quoted("s" + nasty_name(random));
  const std::string who = quoted("w" + nasty_name(random));
  std::string out = fmt::format(
      "CREATE TABLE {} ({} text PRIMARY KEY, {} boolean NOT NULL);\n", table, key, state);
  for (const std::string& name : {nasty_name(random) + "1", nasty_name(random) + "2"})
    out += fmt::format(
        "CREATE PROCEDURE {}({} text) LANGUAGE plpgsql AS $body$\nBEGIN\n"
        "IF EXISTS (SELECT 1 FROM {} WHERE {} AND {} <> {}) THEN\n"
        "UPDATE {} SET {} = false WHERE {} = {};\nEND IF;\nEND $body$;\n",
        quoted(name), who, table, state, key, who, table, state, key, who);
  return out;
}

// The plan: one level, or one for each type.
audit::Plan plan(const program::Program& program, bool is_mixed) {
  audit::Plan out = audit::uniform_plan(program, *level::standard_level("cerone:SI"));
  if (!is_mixed) return out;
  out.levels.push_back(*level::standard_level("cerone:PSI"));
  out.level_of.back() = 1;
  return out;
}

TEST(NastyNames, stand_in_scenarios_and_levels_that_are_read_again) {
  const int count = effort(200, 60, 12);
  int replayed = 0;
  for (int seed = 1; seed <= count && !HasFailure(); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Scratch scratch;
    const std::string sql = application(random);
    std::ofstream(scratch.path("app.sql")) << sql;
    const auto program = program::load_program(scratch.path("app.sql"));
    ASSERT_TRUE(program) << render(program.error()) << sql;
    audit::Options options;
    options.cycle_max = 2;
    const bool is_mixed = random.below(2) == 0;
    const audit::Result result = audit::audit(*program, plan(*program, is_mixed), options);
    ASSERT_FALSE(result.anomalies.empty()) << sql;
    for (const audit::Anomaly& anomaly : result.anomalies) {
      EXPECT_EQ(anomaly.confirmation, audit::Confirmation::Confirmed)
          << anomaly.why_unconfirmed << "\n"
          << sql;
      const auto scenario = program::parse_scenario(
          scratch.path("again.toml"), "app = \"app.sql\"\n" + anomaly.scenario);
      ASSERT_TRUE(scenario) << render(scenario.error()) << anomaly.scenario << sql;
      explore::Options exploring;
      exploring.level = check::AskedLevel(check::Level::SI);
      if (!anomaly.level.empty()) {
        const auto levels = level::parse_levels("again.level", anomaly.level);
        ASSERT_TRUE(levels) << render(levels.error()) << anomaly.level;
        exploring.level = check::AskedLevel(levels->back().name, levels->back());
        exploring.base = explore::Base::RA;
      }
      exploring.find = explore::Find::Unserializable;
      exploring.granularity = program::Granularity::Field;
      EXPECT_TRUE(explore::explore(*scenario, exploring).failure)
          << anomaly.scenario << anomaly.level << sql;
      ++replayed;
    }
  }
  EXPECT_GE(replayed, count);
}

// Types of calls are told by their names.
TEST(NastyNames, have_the_level_of_their_type) {
  const Scratch scratch;
  std::ofstream(scratch.path("app.sql"))
      << "CREATE TABLE d (id int PRIMARY KEY, v int);\n"
         "CREATE PROCEDURE \"a(\"\"b\"(x int) LANGUAGE plpgsql AS $$ BEGIN\n"
         "UPDATE d SET v = (SELECT max(v) FROM d WHERE id <> x) WHERE id = x;\nEND $$;\n";
  const auto scenario = program::parse_scenario(
      scratch.path("app.toml"),
      "app = \"app.sql\"\n[init]\nsql = \"INSERT INTO d VALUES (1, 1), (2, 2);\"\n"
      "[[session]]\ncalls = ['\"a(\"\"b\"(1)']\n[[session]]\ncalls = ['\"a(\"\"b\"(2)']\n");
  ASSERT_TRUE(scenario) << render(scenario.error());
  const auto fails = [&](const std::string& axiom) {
    const auto levels = level::parse_levels(
        "x.level", fmt::format("level X : cerone {{\n  axiom A: {}\n}}\n", axiom));
    EXPECT_TRUE(levels) << render(levels.error());
    explore::Options options;
    options.level = check::AskedLevel("X", levels->back());
    options.base = explore::Base::RA;
    options.find = explore::Find::Unserializable;
    return explore::explore(*scenario, options).failure.has_value();
  };
  EXPECT_TRUE(fails("ar & (type \"other\" * type \"other\") in vis"));
  EXPECT_FALSE(fails("ar & (type \"a(\"\"b\" * type \"a(\"\"b\") in vis"));
}

}  // namespace
}  // namespace isomer::test
