// SPDX-License-Identifier: MIT
// The search for an order agrees with the oracle on whole logs.
#include "check/exhaustive.h"

#include <gtest/gtest.h>

#include "support/check/oracle.h"
#include "support/check/sample.h"
#include "support/shrunk.h"

namespace isomer::check {
namespace {

class ExhaustiveAgainstOracle : public testing::TestWithParam<Profile> {};

TEST_P(ExhaustiveAgainstOracle, finds_an_order_whenever_there_is_one) {
  Sampler sampler(GetParam(), 1);
  for (int left = sample_size(1000); left > 0; --left) {
    const Sample sample = sampler.next();
    for (const Level level : all_levels) {
      const auto differs = [&](const Log& log) {
        return is_allowed_by_search(log, level) != Oracle(log).witness(level).has_value();
      };
      ASSERT_EQ(is_allowed_by_search(sample.log, level),
                sample.is_allowed[static_cast<std::size_t>(level)])
          << info(level).name << ", seed " << sample.seed << "\n"
          << text(test::shrunk(sample.log, differs));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, ExhaustiveAgainstOracle, testing::ValuesIn(all_profiles),
                         [](const auto& param) { return name(param.param); });

TEST(Exhaustive, gives_up_when_told_to) {
  SmallHistory many;
  many.txns.resize(9);
  for (std::uint32_t t = 1; t < many.txns.size(); ++t) {
    many.txns[t].session = t;
    many.txns[t].writes = {0};
    many.txns[t].reads = {{0, {0}}};
  }
  many.version_orders.resize(1);
  EXPECT_EQ(exists_order(many, Level::SER, 5), std::nullopt);
  EXPECT_EQ(exists_order(many, Level::SER, 1000), false);
  EXPECT_EQ(exists_order(many, Level::PC, 1000), true);
}

}  // namespace
}  // namespace isomer::check
