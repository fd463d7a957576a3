// SPDX-License-Identifier: MIT
// Small runs, searched as large ones are: first what is near, with answers known by hand.
#include <gtest/gtest.h>

#include "support/predict/against_brute_force.h"
#include "support/predict/trace.h"

namespace isomer::predict {
namespace {

constexpr int x = 0;
constexpr int y = 1;

TraceOp read(int key, int writer) {
  return {.is_write = false, .key = key, .writer = writer};
}

TraceOp write(int key) {
  return {.is_write = true, .key = key, .writer = initial};
}

// Each transaction in a session of its own.
Trace trace_of(int key_count, std::vector<std::vector<TraceOp>> transactions) {
  Trace out{.session_count = 0, .key_count = key_count, .txns = {}};
  for (std::vector<TraceOp>& ops : transactions)
    out.txns.push_back({.session = out.session_count++, .ops = std::move(ops)});
  return out;
}

Result predicted(const Trace& trace, Strategy strategy, bool lists_nearby) {
  return predict(history_of(trace), {.level = check::Level::CC,
                                     .strategy = strategy,
                                     .told_cells_max = 0,
                                     .lists_nearby = lists_nearby,
                                     .budget = {}});
}

// Two readers could see two writes in different orders (long fork).  If the first reader
// misses the second write, that alone is a write skew as long as its own write counts; but
// that is behind its boundary.
TEST(Nearby, what_is_written_behind_a_changed_read_does_not_count) {
  constexpr int skewed = 2;
  const Trace trace = trace_of(3, {{write(x)},
                                   {read(skewed, initial), write(y)},
                                   {read(x, 0), read(y, 1), write(skewed)},
                                   {read(y, 1), read(x, 0)}});
  for (const bool lists_nearby : {false, true}) {
    const Result result = predicted(trace, Strategy::ExactStrict, lists_nearby);
    ASSERT_EQ(result.predictions.size(), 1U) << lists_nearby;
    EXPECT_EQ(flaw(result.predictions.front(), check::Level::CC), "");
    EXPECT_EQ(result.predictions.front()->changed.size(), 2U);
    EXPECT_TRUE(result.has_fewest);
  }
  const Result relaxed = predicted(trace, Strategy::ExactRelaxed, true);
  ASSERT_EQ(relaxed.predictions.size(), 1U);
  EXPECT_EQ(relaxed.predictions.front()->changed.size(), 1U);
}

// The long fork changes two reads, of two transactions.  The last transaction loses an
// update if it misses the one before it, and that changes three reads of one.
TEST(Nearby, one_transaction_may_change_more_than_two_would) {
  constexpr int a = 2;
  constexpr int b = 3;
  constexpr int c = 4;
  const Trace trace = trace_of(5, {{write(x)},
                                   {write(y)},
                                   {read(x, 0), read(y, 1)},
                                   {read(y, 1), read(x, 0)},
                                   {read(a, initial), write(a), write(b), write(c)},
                                   {read(a, 4), read(b, 4), read(c, 4), write(a)}});
  const Result nearby = predicted(trace, Strategy::ExactRelaxed, true);
  ASSERT_EQ(nearby.predictions.size(), 1U);
  EXPECT_EQ(nearby.predictions.front()->changed.size(), 3U);
  EXPECT_FALSE(nearby.has_fewest);
  const Result best = predicted(trace, Strategy::ExactRelaxed, false);
  ASSERT_EQ(best.predictions.size(), 1U);
  EXPECT_EQ(best.predictions.front()->changed.size(), 2U);
  EXPECT_TRUE(best.has_fewest);
}

// The last one writes what the second reads, but only afterwards.
TEST(Nearby, who_misses_a_transaction_reads_what_was_there_without_it) {
  const Trace trace = trace_of(2, {{read(x, initial), write(x), write(y)},
                                   {read(x, 0), read(y, 0), write(x)},
                                   {write(x)}});
  const Result result = predicted(trace, Strategy::ExactRelaxed, true);
  ASSERT_EQ(result.predictions.size(), 1U);
  ASSERT_EQ(result.predictions.front()->changed.size(), 2U);
  for (const ChangedRead& changed : result.predictions.front()->changed)
    EXPECT_EQ(changed.predicted, history::init);
}

}  // namespace
}  // namespace isomer::predict
