// SPDX-License-Identifier: MIT
// The run that shows a rule of a level, as a server or the model of one does it.
#pragma once

#include <string>
#include <vector>

#include "database/level_rules.h"

namespace isomer::test {

struct RuleRun {
  bool is_followed = false;  // the schedule could be taken, and nothing was left
  std::vector<std::string> steps;
  std::vector<std::string> calls;
  std::vector<std::string> rows;
};

// The server is at the initial state of the rule.
RuleRun rule_run(const database::LevelRule& rule, const database::DatabaseLevel& level,
                 database::Server& server);
RuleRun rule_run_on_model(const database::LevelRule& rule,
                          const database::DatabaseLevel& level);

// How it is set up that runs the rule.
database::ServerKind server_kind(const database::LevelRule& rule,
                                 const database::DatabaseLevel& level);

}  // namespace isomer::test
