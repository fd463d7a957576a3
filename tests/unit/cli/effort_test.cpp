// SPDX-License-Identifier: MIT
// How hard each engine works on fixed inputs, by its own counters (--stats).  A search that
// got worse by more than a factor of two is seen here, long before anybody waits for it;
// one that got better asks for a lower number.
#include <map>
#include <optional>
#include <regex>

#include <gtest/gtest.h>

#include "support/command.h"
#include "support/effort.h"

namespace isomer {
namespace {

struct Effort {
  std::string command;
  std::string counter;  // as --stats names it
  std::uint64_t expected;
};

const std::string bank = "examples/apps/simple_bank/write_skew.toml";

const std::string ambiguous = "tests/corpus/effort/ambiguous.hist";

const Effort efforts[] = {
    {"check " + ambiguous, "SAT calls", 92},
    {"check " + ambiguous, "SAT clauses", 685},
    {"check " + ambiguous, "learned clauses", 1743},
    {"check --level adya:PL-3 " + ambiguous, "SAT calls", 230},
    {"check --level adya:PL-3 " + ambiguous, "SAT clauses", 365461},
    {"synth --allow CC --forbid SI", "SAT calls", 25},
    {"synth --allow CC --forbid SI", "SAT conflicts", 32},
    {"synth --allow SER --forbid SI --scope 4,2,4", "SAT conflicts", 81},
    {"synth --allow RA --forbid plume:RA --scope 5,4,4", "SAT calls", 4},
    {"synth --allow RA --forbid plume:RA --scope 5,4,4", "SAT conflicts", 2256},
    {"synth --allow adya:PL-SI --forbid crooks:SI --scope 6,3,3", "SAT conflicts", 4998},
    {"compare PC PSI", "SAT calls", 63},
    {"compare PC PSI", "SAT conflicts", 449},
    {"compare SER SI --scope 2,2,3 --prove", "SMT steps", 20506},
    {"run --level CC --runs 100 " + bank, "transactions run", 200},
    {"explore --level SI " + bank, "states explored", 17},
    {"explore --level SER --base RC examples/apps/tpcc/deliveries.toml", "states explored",
     558},
    {"explore --level SER --base RC examples/apps/tpcc/deliveries.toml",
     "branches left early", 118},
    {"predict examples/bookings.trace", "SAT calls", 1},
    {"predict --strategy approx-relaxed --run "
     "examples/apps/shopping_cart/lost_addition.toml",
     "SAT clauses", 309},
    {"verify " + bank, "SMT calls", 8},
    {"verify " + bank, "SMT steps", 49981},
    {"audit --level PSI --prove examples/audit/withdraw.sql", "SMT steps", 78796},
    {"audit --level SI examples/apps/smallbank/smallbank.sql", "SMT calls", 140},
    {"audit --level SI examples/apps/smallbank/smallbank.sql", "SMT steps", 1177385},
    {"advise examples/audit/registration.sql", "SMT calls", 2783},
    {"advise examples/audit/registration.sql", "SMT steps", 4530975},
};

// Absent if it was not counted.
std::optional<std::uint64_t> counted(const std::string& stats, const std::string& counter) {
  const std::regex row("\n  " + counter + " +([0-9]+)\n");
  std::smatch match;
  if (!std::regex_search(stats, match, row)) return std::nullopt;
  return std::stoull(match[1]);
}

TEST(Effort, of_each_engine_stays_within_a_factor_of_two) {
  if (is_slow_build) GTEST_SKIP() << "the effort is the same, and takes long";
  std::map<std::string, std::string> stats_of;  // by command
  for (const auto& [command, counter, expected] : efforts) {
    std::string& stats = stats_of[command];
    if (stats.empty())
      stats = test::run("isomer " + command + " --stats > /dev/null").output;
    const std::optional<std::uint64_t> effort = counted(stats, counter);
    ASSERT_TRUE(effort.has_value()) << command << ": " << counter << "\n" << stats;
    EXPECT_LE(*effort, 2 * expected) << command << ": " << counter;
    EXPECT_GE(2 * *effort, expected) << command << ": " << counter;
  }
}

}  // namespace
}  // namespace isomer
