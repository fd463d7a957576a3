// SPDX-License-Identifier: MIT
// Generated histories: each mode keeps the level it simulates, at many sizes and seeds, and
// each injection breaks exactly the levels that generate.h says.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "history/generate.h"
#include "support/effort.h"
#include "support/verdicts.h"

namespace isomer::check {
namespace {

using history::GenerateOptions;
using history::Injection;
using history::Mode;
using history::Skew;

Result check_and_certify(const History& h) {
  Question options;
  options.budget = Budget(120.0);
  Result result = uncertified_answers(h, options);
  for (const LevelResult& level : result.levels) {
    if (const auto* witness = std::get_if<Consistent>(&level.verdict)) {
      EXPECT_EQ(refute(h, level.level, *witness), std::nullopt) << level.level.name;
    } else if (const auto* violation = std::get_if<Violated>(&level.verdict)) {
      EXPECT_EQ(refute(h, level.level, *violation), std::nullopt) << level.level.name;
    }
  }
  expect_lattice(verdicts_of(result));
  return result;
}

// From a few transactions, where a checker meets odd corners, to a few hundred.
std::vector<GenerateOptions> settings(Mode mode) {
  std::vector<GenerateOptions> all;
  for (const std::uint32_t transactions : {4U, 12U, 60U, effort(300U, 100U)})
    for (const Skew skew : {Skew::Uniform, Skew::Zipf, Skew::Hotspot})
      for (std::uint64_t seed = 1; seed <= effort(6U, 2U); ++seed) {
        GenerateOptions options;
        options.mode = mode;
        options.transactions = transactions;
        options.sessions = 3 + static_cast<std::uint32_t>(seed % 3) * 3;
        options.operations = 2 + static_cast<std::uint32_t>(seed % 4) * 2;
        options.keys = 3 + transactions / 6;
        options.skew = skew;
        options.seed = seed;
        all.push_back(options);
        options.aborts = 0.1;
        options.unknowns = 0.1;
        all.push_back(options);
      }
  return all;
}

// How many of the histories a level allows; the rest it forbids.
std::size_t allowed_count(const std::vector<Verdicts>& all, Level level) {
  std::size_t count = 0;
  for (const Verdicts& verdicts : all) {
    EXPECT_NE(verdicts.at(level), '?');
    if (verdicts.at(level) == '+') ++count;
  }
  return count;
}

std::vector<Verdicts> verdicts_of_mode(Mode mode) {
  std::vector<Verdicts> all;
  for (const GenerateOptions& options : settings(mode))
    all.push_back(verdicts_of(check_and_certify(history::generate(options))));
  return all;
}

TEST(generated, serial_histories_are_serializable) {
  const std::vector<Verdicts> all = verdicts_of_mode(Mode::Serial);
  EXPECT_EQ(allowed_count(all, Level::SER), all.size());
}

TEST(generated, snapshot_histories_keep_si_and_seldom_ser) {
  const std::vector<Verdicts> all = verdicts_of_mode(Mode::Snapshot);
  EXPECT_EQ(allowed_count(all, Level::SI), all.size());
  EXPECT_LT(allowed_count(all, Level::SER), all.size() * 3 / 4);
}

TEST(generated, causal_histories_keep_cc_and_seldom_pc_or_psi) {
  const std::vector<Verdicts> all = verdicts_of_mode(Mode::Causal);
  EXPECT_EQ(allowed_count(all, Level::CC), all.size());
  EXPECT_LT(allowed_count(all, Level::PC), all.size() * 3 / 4);
  EXPECT_LT(allowed_count(all, Level::PSI), all.size() * 3 / 4);
}

TEST(generated, read_committed_histories_keep_rc_and_seldom_ra) {
  const std::vector<Verdicts> all = verdicts_of_mode(Mode::ReadCommitted);
  EXPECT_EQ(allowed_count(all, Level::RC), all.size());
  EXPECT_LT(allowed_count(all, Level::RA), all.size() * 3 / 4);
}

TEST(generated, repeated_values_leave_each_mode_its_level) {
  const std::vector<std::pair<Mode, Level>> kept = {{Mode::Serial, Level::SER},
                                                    {Mode::Snapshot, Level::SI},
                                                    {Mode::Causal, Level::CC},
                                                    {Mode::ReadCommitted, Level::RC}};
  for (const auto& [mode, level] : kept)
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      GenerateOptions options;
      options.mode = mode;
      options.sessions = 3;
      options.transactions = 12;
      options.operations = 4;
      options.keys = 4;
      options.values = 4;
      options.unknowns = seed % 2 == 0 ? 0.1 : 0;
      options.seed = seed;
      const Verdicts verdicts = verdicts_of(check_and_certify(history::generate(options)));
      EXPECT_EQ(verdicts.at(level), '+') << info(level).name << " with seed " << seed;
    }
}

std::string expected_verdicts(Injection injection) {
  if (injection <= Injection::WrCycle) return "RC- RA- CC- PC- PSI- SI- SER-";
  if (injection <= Injection::ReadYourWrites) return "RC+ RA- CC- PC- PSI- SI- SER-";
  if (injection <= Injection::OrderCycle) return "RC+ RA+ CC- PC- PSI- SI- SER-";
  if (injection == Injection::LongFork) return "RC+ RA+ CC+ PC- PSI+ SI- SER-";
  if (injection == Injection::LostUpdate) return "RC+ RA+ CC+ PC+ PSI- SI- SER-";
  return "RC+ RA+ CC+ PC+ PSI+ SI+ SER-";
}

TEST(generated, injections_break_exactly_their_levels) {
  for (const Injection injection : history::injections())
    for (std::uint64_t seed = 1; seed <= effort(12U, 4U); ++seed) {
      GenerateOptions options;
      options.mode = Mode::Broken;
      options.injection = injection;
      options.sessions = 1 + static_cast<std::uint32_t>(seed);
      options.transactions = seed <= 2 ? 0 : static_cast<std::uint32_t>(seed) * 20;
      options.operations = 5;
      options.keys = 12;
      options.seed = seed;
      options.aborts = seed % 2 == 0 ? 0.1 : 0;
      options.unknowns = seed % 3 == 0 ? 0.1 : 0;
      const Result result = check_and_certify(history::generate(options));
      EXPECT_EQ(text(verdicts_of(result)), expected_verdicts(injection))
          << name(injection) << " with seed " << seed;
    }
}

}  // namespace
}  // namespace isomer::check
