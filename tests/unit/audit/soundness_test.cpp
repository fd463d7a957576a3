// SPDX-License-Identifier: MIT
// "No cycle up to k" must be true: whatever explore finds with k transactions, audit finds.
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audit/audit.h"
#include "audit/confirm.h"
#include "explore/explore.h"
#include "level/library.h"
#include "program/scenario.h"
#include "support/command.h"
#include "support/effort.h"
#include "unit/audit/random_application.h"

namespace isomer::test {
namespace {

using audit::Reads;
using program::Granularity;

struct Found {
  explore::Result result;
  check::AskedLevel level;
};

class Soundness : public testing::Test {
 protected:
  Expected<program::Program> load(const RandomApplication& application) const {
    std::ofstream(scratch_.path("app.sql")) << application.sql;
    return program::parse_scenario(
        scratch_.path("scenario.toml"),
        fmt::format("app = \"app.sql\"\n{}", application.scenario));
  }

  static explore::Result explored(const program::Program& program,
                                  const level::Level& level, Granularity granularity) {
    explore::Options options;
    options.level = check::AskedLevel(level.qualified_name(), level);
    options.find = explore::Find::Unserializable;
    options.granularity = granularity;
    options.budget = Budget(2);
    return explore::explore(program, options);
  }

  static bool audited(const program::Program& program, const level::Level& level,
                      Granularity granularity, Reads reads, std::size_t cycle_max) {
    audit::Options options;
    options.cycle_max = static_cast<std::uint32_t>(cycle_max);
    options.granularity = granularity;
    options.reads = reads;
    options.confirm = false;
    const audit::Plan plan = audit::uniform_plan(program, level);
    const audit::Result result = audit::audit(program, plan, options);
    return !result.anomalies.empty() || !result.unknown.empty();
  }

  // Gives whether explore found something.
  bool check(const RandomApplication& application, const std::string& level_name,
             Granularity granularity) const {
    const auto program = load(application);
    if (!program) {
      ADD_FAILURE() << render(program.error()) << application.sql;
      return false;
    }
    const level::Level& level = *level::standard_level("cerone:" + level_name);
    const explore::Result found = explored(*program, level, granularity);
    if (!found.failure) return false;
    const std::size_t count = program->sessions.size() - found.failure->dropped;
    EXPECT_TRUE(audited(*program, level, granularity, Reads::Scanned, count))
        << "scanned, " << level_name << ", " << static_cast<int>(granularity) << "\n"
        << application.sql << application.scenario;
    check_harmful(*program, *found.failure, level, granularity, application);
    return true;
  }

  // With only the relevant reads, what may be missed is what some serial order does too.
  static void check_harmful(const program::Program& program,
                            const explore::Failure& failure, const level::Level& level,
                            Granularity granularity, const RandomApplication& application) {
    if (failure.dropped > 0) return;
    for (const store::TransactionOutcome& outcome : failure.transactions)
      if (!outcome.is_committed) return;
    audit::Options options;
    options.granularity = granularity;
    const check::AskedLevel asked(level.qualified_name(), level);
    if (audit::has_serial_outcome(program, failure.history, options, asked)) return;
    EXPECT_TRUE(
        audited(program, level, granularity, Reads::Relevant, program.sessions.size()))
        << "relevant, " << level.name << ", " << static_cast<int>(granularity) << "\n"
        << application.sql << application.scenario;
  }

  Scratch scratch_;
};

TEST_F(Soundness, finds_what_explore_finds) {
  const std::vector<std::string> levels{"EC", "CC", "PC", "PSI", "SI"};
  int found = 0;
  const int count = effort(120, 8);
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const RandomApplication application = random_application(random);
    const Granularity granularity =
        random.below(2) == 0 ? Granularity::Row : Granularity::Field;
    found += check(application, levels[random.below(levels.size())], granularity) ? 1 : 0;
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << seed;
      break;
    }
  }
  EXPECT_GT(found, count / 10);
}

}  // namespace
}  // namespace isomer::test
