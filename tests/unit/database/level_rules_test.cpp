// SPDX-License-Identifier: MIT
#include "database/level_rules.h"

#include <gtest/gtest.h>

#include "database/model.h"

namespace isomer::database {
namespace {

// How far the model follows the schedule: an entry for a session that waits is a mistake.
bool can_be_followed(const LevelRule& rule, const DatabaseLevel& level) {
  const Scenario scenario = scenario_at(rule.program, level);
  Model model(scenario.server, rule.program, rule.program.sessions.size());
  ScheduleRun run(scenario, model);
  return follow(run, rule.schedule) && run.steps().size() == rule.schedule.size();
}

TEST(LevelRules, can_be_read_and_say_which_levels_they_are_of) {
  for (const RuleText& text : rule_texts()) {
    const Expected<LevelRule> rule = read_rule(text);
    ASSERT_TRUE(rule) << render(rule.error());
    EXPECT_FALSE(rule->title.empty()) << text.file;
    EXPECT_FALSE(rule->words.empty()) << text.file;
    EXPECT_FALSE(rule->schedule.empty()) << text.file;
    EXPECT_FALSE(rule->levels.empty()) << text.file;
    for (const std::string& name : rule->levels) {
      const auto level = parse_level_name(name);
      ASSERT_TRUE(level) << text.file << ": " << name;
      EXPECT_EQ(short_name(*level), name) << text.file;
    }
  }
}

// Neither too few entries nor one that cannot be taken.
TEST(LevelRules, have_the_whole_schedule_of_their_run) {
  std::size_t count = 0;
  for (const DatabaseLevel& level : database_levels())
    for (const LevelRule& rule : rules_of(level)) {
      EXPECT_TRUE(can_be_followed(rule, level)) << rule.program.file;
      ++count;
    }
  EXPECT_GT(count, 90U);
}

TEST(BeginOptions, are_those_of_the_script_then_of_the_scenario_then_of_the_level) {
  program::Program program;
  program.types.resize(3);
  program.types[0].level = "SERIALIZABLE";
  program.types[0].is_read_only = true;
  program.levels.types = {{0, "pg:RC"}, {1, "pg:RR"}};
  const auto begin = begin_options(program, *parse_level_name("pg:RC"));
  EXPECT_EQ(begin[0].level, IsolationLevel::Serializable);
  EXPECT_TRUE(begin[0].is_read_only);
  EXPECT_EQ(begin[1].level, IsolationLevel::RepeatableRead);
  EXPECT_EQ(begin[2].level, IsolationLevel::ReadCommitted);
}

}  // namespace
}  // namespace isomer::database
