// SPDX-License-Identifier: MIT
#include "explore/run_history.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "database/model.h"
#include "explore/model_run.h"
#include "explore/serial_order.h"
#include "history/formats.h"
#include "random_schedules.h"
#include "support/effort.h"

namespace isomer::explore {
namespace {

using check::Level;
using database::IsolationLevel;

bool allows(const RunHistory& run, Level level) {
  for (const check::LevelResult& result : run.levels.levels)
    if (result.level == check::AskedLevel(level))
      return std::holds_alternative<check::Consistent>(result.verdict);
  ADD_FAILURE() << "the level was not asked";
  return false;
}

std::string text_of(const history::History& history) {
  const auto written = history::write_history(history, "hist");
  return written ? written->bytes : "";
}

// Runs a seed, and has the log.
struct Logged {
  database::Model model;
  database::ScheduleRun run;

  Logged(const database::Scenario& scenario, std::uint64_t seed)
      : model(database::recorded_server(scenario.server, scenario.program,
                                        scenario.program.sessions.size())),
        run(scenario, model) {
    Random random(seed);
    database::run_randomly(run, random);
  }

  [[nodiscard]] const database::AccessLog& log() const { return *model.state().accesses(); }
};

TEST(RunHistory, oracle) {
  std::map<std::string, int> tally;
  for (std::uint64_t seed = 1; seed <= 20000; ++seed) {
    RandomScenario random = random_scenario(seed);
    const program::Program program = program_of(random);
    for (const auto level : {IsolationLevel::ReadCommitted, IsolationLevel::RepeatableRead,
                             IsolationLevel::Serializable}) {
      for (auto& begin : random.begin)
        begin.level = level;
      const database::Scenario scenario{.program = program, .begin = random.begin};
      for (std::uint64_t schedule = 1; schedule <= 4; ++schedule) {
        const Logged logged(scenario, schedule);
        const auto told = history_of_run(scenario, logged.run.steps(), &logged.log(), {});
        ASSERT_TRUE(told);
        std::vector<store::Place> calls;
        for (const auto i : logged.log().committed())
          calls.emplace_back(logged.log().transactions()[i].session, 0);
        const std::string name = std::to_string(static_cast<int>(level));
        ++tally[name + " runs"];
        const bool ser = allows(*told, Level::SER);
        const bool can = serial_order(scenario, logged.log(), calls, {}).has_value();
        ++tally[name + (ser ? " ser" : " not ser") + (can ? " and can" : " and cannot")];
        if (!allows(*told, Level::RC)) ++tally[name + " not RC"];
        if (ser == can || random.application.find("SKIP") != std::string::npos) continue;
        ++tally[name + " differ"];
          std::string steps;
          for (const auto& step : logged.run.steps())
            steps += "s" + std::to_string(step.session) + ": " + step.text + "\n";
          std::cout << "level " << name << " seed " << seed << " schedule " << schedule << " differs "
                    << ser << can << "\n"
                    << random.application << random.sessions << steps << text_of(told.value()->history)
                    << "\n";
      }
    }
  }
  for (const auto& [what, count] : tally)
    std::cout << what << ": " << count << "\n";
}

}  // namespace
}  // namespace isomer::explore
