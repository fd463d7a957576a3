// SPDX-License-Identifier: MIT
// Ambiguous reads in histories too large for the oracle: what the generator promises, the
// checkers find, and every answer is certified.
#include <gtest/gtest.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "history/generate.h"
#include "support/check/sample.h"

namespace isomer::check {
namespace {

using history::GenerateOptions;
using history::Mode;

// What is wrong with the answers; "" if each is certified and `level` is allowed.
std::string fault(const GenerateOptions& options, std::optional<Level> allowed) {
  const History history = history::generate(options);
  for (const LevelResult& result : uncertified_answers(history, {}).levels) {
    const std::string name(result.level.name);
    if (const auto* witness = std::get_if<Consistent>(&result.verdict)) {
      if (const auto refutation = refute(history, result.level, *witness))
        return name + ": refuted witness: " + *refutation;
    } else if (const auto* violation = std::get_if<Violated>(&result.verdict)) {
      if (const auto refutation = refute(history, result.level, *violation))
        return name + ": refuted violation: " + *refutation;
      if (allowed && is_stronger_or_equal(*allowed, *result.level.built_in))
        return name + ": violated";
    } else {
      return name + ": unknown";
    }
  }
  return "";
}

struct Promise {
  Mode mode;
  std::optional<Level> level;
};

const std::uint64_t seeds = static_cast<std::uint64_t>(sample_size(40));

class GeneratedAmbiguous : public testing::TestWithParam<Promise> {};

TEST_P(GeneratedAmbiguous, satisfies_its_level_and_every_answer_is_certified) {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    GenerateOptions options;
    options.mode = GetParam().mode;
    options.sessions = 2 + static_cast<std::uint32_t>(seed % 4);
    options.transactions = 5 + 2 * static_cast<std::uint32_t>(seed);
    options.operations = 4;
    options.keys = 10;
    options.values = 12;
    options.unknowns = seed % 3 == 0 ? 0.1 : 0;
    options.seed = seed;
    EXPECT_EQ(fault(options, GetParam().level), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, GeneratedAmbiguous,
                         testing::Values(Promise{Mode::Serial, Level::SER},
                                         Promise{Mode::Snapshot, Level::SI},
                                         Promise{Mode::Causal, Level::CC},
                                         Promise{Mode::ReadCommitted, Level::RC},
                                         Promise{Mode::Broken, std::nullopt}),
                         [](const testing::TestParamInfo<Promise>& promise) {
                           return std::string(promise.param.level
                                                  ? check::info(*promise.param.level).name
                                                  : "none");
                         });

}  // namespace
}  // namespace isomer::check
