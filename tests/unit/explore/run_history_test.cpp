// SPDX-License-Identifier: MIT
#include "explore/run_history.h"

#include <gtest/gtest.h>

#include "explore/model_run.h"
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

TEST(RunHistory, probe) {
  std::map<std::string, int> tally;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    RandomScenario random = random_scenario(seed);
    const program::Program program = program_of(random);
    for (const auto level : {IsolationLevel::ReadCommitted, IsolationLevel::RepeatableRead,
                             IsolationLevel::Serializable}) {
      for (auto& begin : random.begin)
        begin.level = level;
      const database::Scenario scenario{.program = program, .begin = random.begin};
      for (std::uint64_t schedule = 1; schedule <= 4; ++schedule) {
        const ModelRun run = run_by_seed(scenario, schedule);
        if (!run.unknown.empty()) continue;
        ASSERT_TRUE(run.history);
        const RunHistory& told = *run.history;
        const std::string name = std::to_string(static_cast<int>(level));
        ++tally[name + " runs"];
        tally[name + " left out"] += told.left_out > 0;
        for (const auto claimed : {Level::SER, Level::SI, Level::RA, Level::RC}) {
          if (allows(told, claimed)) continue;
          if (++tally[name + " not " + std::string(check::info(claimed).name)] > 3) continue;
          const bool prints = (level == IsolationLevel::Serializable && claimed == Level::SER) ||
                              (level == IsolationLevel::RepeatableRead && claimed == Level::SI) ||
                              (level == IsolationLevel::ReadCommitted && claimed == Level::RC);
          if (!prints) continue;
          std::string steps;
          for (const auto& step : run.steps)
            steps += "s" + std::to_string(step.session) + ": " + step.text + "\n";
          std::cout << "level " << name << " seed " << seed << " schedule " << schedule << " not "
                    << check::info(claimed).name << "\n"
                    << random.application << random.sessions << steps << text_of(told.history)
                    << "\n";
        }
      }
    }
  }
  for (const auto& [what, count] : tally)
    std::cout << what << ": " << count << "\n";
}

}  // namespace
}  // namespace isomer::explore
