// SPDX-License-Identifier: MIT
// What src/level/known_order.cpp claims, searched for a counterexample among all small
// histories; and what it
// leaves out, which must have one.
#include "level/known_order.h"

#include <gtest/gtest.h>

#include "level/library.h"
#include "support/effort.h"
#include "synth/compare.h"

namespace isomer::synth {
namespace {

Implication searched(std::string_view level, std::string_view implied, Scope scope) {
  CompareOptions options;
  options.search.scope = scope;
  options.search.want = Want::Any;
  options.search.has_events = true;
  return implication(*level::standard_level(level), *level::standard_level(implied),
                     options)
      .implication;
}

TEST(KnownOrder, has_no_small_counterexample) {
  for (const level::Implication& row : level::known_implications())
    EXPECT_EQ(searched(row.level, row.implied, {4, 2, 3}), Implication::InScope)
        << row.level << " does not imply " << row.implied;
}

// The search makes no histories with flawed single reads, so it cannot refute that plume:CI
// implies levels that forbid nothing else.
TEST(KnownOrder, leaves_out_only_what_small_histories_refute) {
  std::size_t count = 0;
  for (const Level& level : level::standard_levels())
    for (const Level& implied : level::standard_levels()) {
      const std::string left = level.qualified_name();
      const std::string right = implied.qualified_name();
      if (left == "plume:CI" || level::is_known_to_imply(left, right)) continue;
      if (++count % effort(1U, 5U) != 0) continue;
      EXPECT_EQ(searched(left, right, {4, 2, 3}), Implication::Refuted)
          << left << " implies " << right;
    }
  EXPECT_GT(count, 400U);
}

}  // namespace
}  // namespace isomer::synth
