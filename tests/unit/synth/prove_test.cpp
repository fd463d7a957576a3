// SPDX-License-Identifier: MIT
#include "synth/prove.h"

#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "level/library.h"
#include "support/effort.h"
#include "support/files.h"
#include "synth/synth.h"

namespace isomer::synth {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

std::string name_of(const testing::TestParamInfo<Pair>& pair) {
  return test::test_name(fmt::format("{}_and_{}", pair.param.first, pair.param.second));
}

// All, or one of five in slow builds.
std::vector<Pair> sample(std::span<const Pair> pairs) {
  std::vector<Pair> out;
  for (std::size_t i = 0; i < pairs.size(); i += effort<std::size_t>(1, 5))
    out.push_back(pairs[i]);
  return out;
}

const Level& named(std::string_view name) {
  const Level* level = level::standard_level(name);
  EXPECT_NE(level, nullptr) << name;
  return *level;
}

bool has_counterexample(const Level& stronger, const Level& weaker) {
  Options options;
  options.scope = Scope{4, 2, 3};
  options.want = Want::Any;
  options.budget = Budget(120.0);
  const Result result = synth(std::span(&stronger, 1), std::span(&weaker, 1), options);
  return result.outcome == Outcome::Found;
}

class TrueImplication : public testing::TestWithParam<Pair> {};

TEST_P(TrueImplication, is_proved) {
  const auto [stronger, weaker] = GetParam();
  const ProofResult result =
      prove_implication(named(stronger), named(weaker), Budget(120.0));
  const auto* failure = std::get_if<NotProved>(&result.outcome);
  EXPECT_EQ(failure, nullptr) << stronger << " => " << weaker << ": " << failure->reason;
}

constexpr Pair true_implications[] = {
    // one framework after another, from strong to weak
    {"biswas:SER", "biswas:SI"},
    {"biswas:SI", "biswas:PC"},
    {"biswas:PC", "biswas:CC"},
    {"biswas:CC", "biswas:RA"},
    {"biswas:RA", "biswas:RC"},
    {"cerone:SER", "cerone:SI"},
    {"cerone:SI", "cerone:PC"},
    {"cerone:SI", "cerone:PSI"},
    {"cerone:PC", "cerone:CC"},
    {"cerone:PSI", "cerone:CC"},
    {"cerone:PSI", "cerone:UA"},
    {"cerone:CC", "cerone:RA"},
    {"cerone:UA", "cerone:RA"},
    {"cerone:EC", "cerone:RA"},
    {"adya:PL-3", "adya:PL-2.99"},
    {"adya:PL-2.99", "adya:PL-SI"},
    {"adya:PL-2.99", "adya:PL-2+"},
    {"adya:PL-2+", "adya:PL-2"},
    {"adya:PL-2", "adya:PL-1"},
    {"adya:SS-PL-3", "adya:SS-PL-SI"},
    {"crooks:SER", "crooks:SI"},
    {"crooks:RA", "crooks:RC"},
    {"plume:CC", "plume:RA"},
    {"plume:RA", "plume:RC"},
    // the definitions of Biswas and Cerone are the same
    {"biswas:RA", "cerone:RA"},
    {"cerone:RA", "biswas:RA"},
    {"biswas:CC", "cerone:CC"},
    {"cerone:CC", "biswas:CC"},
    {"biswas:PC", "cerone:PC"},
    {"cerone:PC", "biswas:PC"},
    {"biswas:SI", "cerone:SI"},
    {"cerone:SI", "biswas:SI"},
    {"biswas:SER", "cerone:SER"},
    {"cerone:SER", "biswas:SER"},
    // other frameworks, with linear extensions and states
    {"biswas:RA", "plume:RA"},
    {"biswas:CC", "plume:CC"},
    {"biswas:SER", "adya:SS-PL-3"},
    {"adya:SS-PL-3", "biswas:SER"},
    {"biswas:SI", "adya:SS-PL-SI"},
    {"biswas:SI", "adya:PL-2+"},
    {"adya:SS-PL-SI", "biswas:RA"},
    {"biswas:RC", "adya:PL-2"},
    {"cerone:PSI", "crooks:PSI"},
    {"cerone:SI", "crooks:SI"},
    {"biswas:SER", "crooks:SER"},
    {"adya:PL-3", "crooks:SER"},
    {"crooks:SER", "adya:PL-3"},
};

INSTANTIATE_TEST_SUITE_P(Levels, TrueImplication,
                         testing::ValuesIn(sample(true_implications)), name_of);

class FalseImplication : public testing::TestWithParam<Pair> {};

TEST_P(FalseImplication, is_not_proved) {
  const auto [stronger, weaker] = GetParam();
  EXPECT_TRUE(has_counterexample(named(stronger), named(weaker)));
  // There is no end to the search for what does not exist.
  const Budget budget(effort(0.5, 0.2, 0.2));
  const ProofResult result = prove_implication(named(stronger), named(weaker), budget);
  EXPECT_EQ(result.proof(), nullptr) << result.proof()->choice;
}

constexpr Pair false_implications[] = {
    {"biswas:RC", "biswas:RA"},    {"biswas:RA", "biswas:CC"},
    {"biswas:CC", "biswas:PC"},    {"biswas:PC", "biswas:SI"},
    {"biswas:SI", "biswas:SER"},   {"cerone:RA", "cerone:UA"},
    {"cerone:RA", "cerone:CC"},    {"cerone:UA", "cerone:CC"},
    {"cerone:CC", "cerone:UA"},    {"cerone:CC", "cerone:PC"},
    {"cerone:PSI", "cerone:PC"},   {"cerone:PC", "cerone:PSI"},
    {"cerone:PSI", "cerone:SI"},   {"cerone:PC", "cerone:SI"},
    {"cerone:SI", "cerone:SER"},   {"plume:RA", "biswas:RA"},
    {"plume:RC", "biswas:RC"},     {"biswas:SI", "cerone:SER"},
    {"cerone:PC", "biswas:SI"},    {"adya:PL-3", "biswas:SER"},
    {"adya:PL-SI", "adya:PL-3"},   {"adya:PL-2", "adya:PL-2+"},
    {"adya:SS-PL-2", "biswas:RA"}, {"crooks:SER", "biswas:RA"},
    {"crooks:SI", "crooks:SER"},   {"crooks:PSI", "crooks:SI"},
    {"adya:PL-2+", "adya:PL-SI"},  {"cerone:PSI", "crooks:SI"},
};

INSTANTIATE_TEST_SUITE_P(Levels, FalseImplication, testing::ValuesIn(false_implications),
                         name_of);

// If what is assumed were contradictory, everything would be proved.
TEST(ProveTest, no_standard_level_implies_falsehood) {
  const Level nothing =
      level::parse_levels("test", "framework f {}  level Nothing : f { false }")
          .value()
          .front();
  for (const Level& level : level::standard_levels())
    EXPECT_EQ(prove_implication(level, nothing, Budget(effort(0.2, 0.1, 0.1))).proof(),
              nullptr)
        << level.qualified_name();
}

TEST(ProveTest, a_contradictory_level_implies_everything) {
  const Level nothing =
      level::parse_levels("test", "level Nothing : biswas { wr in co^-1 and not empty wr }")
          .value()
          .front();
  EXPECT_NE(prove_implication(nothing, named("biswas:SER"), Budget(120.0)).proof(),
            nullptr);
}

TEST(ProveTest, update_atomic_implies_no_lost_update_and_not_the_reverse) {
  const Level no_lost_update =
      level::levels_named(ISOMER_SOURCE_DIR "/examples/isolde.level:NLU").value().front();
  const Level& update_atomic = named("cerone:UA");
  EXPECT_NE(prove_implication(update_atomic, no_lost_update, Budget(120.0)).proof(),
            nullptr);
  EXPECT_EQ(prove_implication(no_lost_update, update_atomic, Budget(2.0)).proof(), nullptr);
}

TEST(ProveTest, says_what_could_not_be_shown) {
  const ProofResult result =
      prove_implication(named("biswas:PC"), named("biswas:SI"), Budget(120.0));
  EXPECT_EQ(std::get<NotProved>(result.outcome).reason,
            "with co := co, Conflict could not be shown");
}

TEST(ProveTest, says_how_witnesses_are_chosen) {
  const ProofResult result =
      prove_implication(named("biswas:CC"), named("cerone:CC"), Budget(120.0));
  ASSERT_NE(result.proof(), nullptr);
  EXPECT_EQ(result.proof()->choice, "vis := (so | wr)+, ar := co");
  EXPECT_EQ(result.proof()->lemmas, std::vector<std::string>{"(so | wr)+ in co"});
}

TEST(ProveTest, gives_up_when_the_time_is_over) {
  const ProofResult result =
      prove_implication(named("biswas:SI"), named("adya:PL-3"), Budget(0.0));
  EXPECT_EQ(std::get<NotProved>(result.outcome).reason, "timeout");
}

// An hour; for changes to the prover.
TEST(ProveTest, DISABLED_no_proof_is_contradicted) {
  for (const Level& stronger : level::standard_levels())
    for (const Level& weaker : level::standard_levels()) {
      const ProofResult result =
          prove_implication(stronger, weaker, Budget(prove_seconds_default));
      if (result.proof() == nullptr) continue;
      EXPECT_FALSE(has_counterexample(stronger, weaker))
          << stronger.qualified_name() << " => " << weaker.qualified_name();
    }
}

}  // namespace
}  // namespace isomer::synth
