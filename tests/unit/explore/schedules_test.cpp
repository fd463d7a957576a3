// SPDX-License-Identifier: MIT
#include "explore/schedules.h"

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "explore/fine_run.h"
#include "explore/reduced_search.h"
#include "random_schedules.h"
#include "support/effort.h"

namespace isomer::explore {
namespace {

struct Found {
  std::set<Fingerprint> outcomes;
  std::uint64_t schedules = 0;
  std::uint64_t states = 0;
  bool is_complete = false;
};

Found found(const database::Scenario& scenario, Reduction reduction,
            std::uint64_t schedules_max) {
  const FineRuns runs(scenario);
  ReducedSearch<FineRuns> search(runs, reduction, Budget());
  Found out;
  out.is_complete = search.run(runs.start(), [&](const FineRun& run) {
    out.outcomes.insert(runs.outcome(run));
    return search.schedules() < schedules_max;
  });
  out.schedules = search.schedules();
  out.states = search.states();
  return out;
}

TEST(Schedules, reduction_misses_no_outcome) {
  const char* const from = std::getenv("FROM");
  const char* const count = std::getenv("COUNT");
  const std::uint64_t first = from != nullptr ? std::strtoull(from, nullptr, 10) : 1;
  const std::uint64_t cases = count != nullptr ? std::strtoull(count, nullptr, 10) : 100;
  std::uint64_t compared = 0;
  std::uint64_t by_brute_force = 0;
  std::uint64_t all_schedules = 0, reduced_schedules = 0, all_states = 0,
                reduced_states = 0;
  int failures = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 5; ++seed) {
    const RandomScenario random = random_scenario(seed);
    const program::Program program = program_of(random);
    const database::Scenario scenario{.program = program, .begin = random.begin};
    const Found reduced = found(scenario, Reduction::Reduced, 100'000);
    const Found states = found(scenario, Reduction::StatesOnce, 300'000);
    if (!states.is_complete) continue;
    ++compared;
    reduced_schedules += reduced.schedules;
    all_schedules += states.schedules;
    reduced_states += reduced.states;
    all_states += states.states;
    const bool same = reduced.outcomes == states.outcomes;
    failures += !same;
    EXPECT_EQ(reduced.outcomes.size(), states.outcomes.size())
        << "seed " << seed << "\n"
        << random.application << random.sessions << " levels " << [&] {
             std::string out;
             for (const auto& begin : random.begin)
               out += std::to_string(static_cast<int>(begin.level)) + " ";
             return out;
           }();
    const Found all = found(scenario, Reduction::None, 3'000);
    if (!all.is_complete) continue;
    ++by_brute_force;
    failures += all.outcomes != states.outcomes;
    EXPECT_EQ(all.outcomes.size(), states.outcomes.size()) << "brute force, seed " << seed;
  }
  std::printf(
      "compared %lu, brute force %lu; schedules %lu reduced %lu; states %lu reduced %lu\n",
      compared, by_brute_force, all_schedules, reduced_schedules, all_states,
      reduced_states);
}

}  // namespace
}  // namespace isomer::explore
