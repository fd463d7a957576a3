// SPDX-License-Identifier: MIT
// The rules by which the levels of databases go, as `isomer levels pg:RC` tells them: a few
// sentences each, and the smallest run that shows it.  The runs are scenarios, the files
// under levels/postgresql, levels/mariadb and levels/sqlite, which are built into the
// program:
//
//   # A statement reads one snapshot, and the next statement takes a new one     title
//   #
//   # A statement sees everything that was committed when it began, ..           words
//   #
//   # levels: pg:RC
//   # schedule: ann bob bob ann ann
//   app = "rules.sql"
//   ..
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "database/level_name.h"
#include "database/schedule.h"
#include "program/ir.h"

namespace isomer::database {

struct RuleText {
  // The application of the scenario.
  struct Tables {
    std::string_view file;
    std::string_view text;
  };

  std::string_view file;
  std::string_view text;
  Tables tables{};
};

// All of them, in their order.
std::span<const RuleText> rule_texts();

struct LevelRule {
  std::string title;
  std::string words;
  std::vector<std::string> levels;  // "pg:RC"
  program::Program program;
  std::vector<SessionIndex> schedule;
};

Expected<LevelRule> read_rule(const RuleText& text);

// Those of a level.  They can be read: a test does it.
std::vector<LevelRule> rules_of(const DatabaseLevel& level);

// What BEGIN says for each type of a program: what its script says, what [levels] says of
// it, or this level.
std::vector<BeginOptions> begin_options(const program::Program& program,
                                        const DatabaseLevel& level);

// The program on the database of that level.  It must outlive the scenario.
Scenario scenario_at(const program::Program& program, const DatabaseLevel& level);

}  // namespace isomer::database
