// SPDX-License-Identifier: MIT
#include "support/database/rule_run.h"

#include "database/model.h"
#include "database/server_settings.h"
#include "support/database/transcript.h"

namespace isomer::test {

RuleRun rule_run(const database::LevelRule& rule, const database::DatabaseLevel& level,
                 database::Server& server) {
  const database::Scenario scenario = database::scenario_at(rule.program, level);
  database::ScheduleRun run(scenario, server);
  const bool is_followed = database::follow(run, rule.schedule);
  return {is_followed && run.steps().size() == rule.schedule.size(),
          transcript(rule.program, run), call_texts(rule.program, run),
          row_texts(rule.program, run)};
}

RuleRun rule_run_on_model(const database::LevelRule& rule,
                          const database::DatabaseLevel& level) {
  database::Model model(server_kind(rule, level), rule.program,
                        rule.program.sessions.size());
  return rule_run(rule, level, model);
}

database::ServerKind server_kind(const database::LevelRule& rule,
                                 const database::DatabaseLevel& level) {
  return database::server_kind(rule.program, level.database);
}

}  // namespace isomer::test
