// SPDX-License-Identifier: MIT
#include "report/check/finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/builder.h"
#include "unit/report/fixtures.h"

namespace isomer::report {
namespace {

using check::Level;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Findings, group_levels_with_the_same_story) {
  const fixture::Case bank = fixture::lost_update();
  const std::vector<Finding> found = findings(bank.result);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].levels, ElementsAre(Level::PSI, Level::SI, Level::SER));
}

TEST(Findings, keep_different_stories_apart) {
  fixture::Case bank = fixture::lost_update();
  std::get<check::Violated>(bank.result.levels[6].verdict).anomaly = "write skew";
  std::get<check::Violated>(bank.result.levels[5].verdict).transactions = {{1}};
  EXPECT_EQ(findings(bank.result).size(), 3U);
}

TEST(Findings, are_none_if_all_is_well) {
  EXPECT_THAT(findings(fixture::serial().result), IsEmpty());
}

TEST(Told, replaces_an_edge_by_the_one_it_rests_on) {
  const history::KeyId x{0};
  const check::Edge rw{{1}, {2}, check::EdgeKind::Rw, x, check::init, {}};
  const check::Edge ww{{1}, {2}, check::EdgeKind::Ww, x, {}, {rw}};
  const check::Edge far{{2}, {1}, check::EdgeKind::Ww,
                        x,   {3}, {{{2}, {3}, check::EdgeKind::So, {}, {}, {}}}};
  const check::Edge other_key{{1}, {2}, check::EdgeKind::Ww, {1}, {}, {rw}};
  const std::vector<check::Edge> out = told({ww, far, other_key});
  ASSERT_EQ(out.size(), 3U);
  EXPECT_EQ(out[2].kind, check::EdgeKind::Ww);
  EXPECT_EQ(out[0].kind, check::EdgeKind::Rw);
  EXPECT_EQ(out[1].kind, check::EdgeKind::Ww);
}

TEST(KeysThatMatter, include_those_of_justifications) {
  const fixture::Case c = fixture::causality();
  const auto found = findings(c.result);
  EXPECT_EQ(keys_that_matter(c.history, *found[0].violation).size(), 2U);
}

TEST(KeysThatMatter, without_a_cycle_are_the_contended_ones) {
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  const auto shared = builder.key("shared");
  const auto a = builder.begin(builder.session("a"));
  builder.write(a, shared, history::Value::integer(1));
  builder.write(a, builder.key("own"), history::Value::integer(1));
  builder.read(a, builder.key("only read"), history::Value::integer(0));
  const auto b = builder.begin(builder.session("b"));
  builder.read(b, shared, history::Value::integer(1));
  builder.read(b, builder.key("only read"), history::Value::integer(0));
  const history::History history = builder.build();
  check::Violated violation;
  violation.transactions = {{1}, {2}};
  EXPECT_THAT(keys_that_matter(history, violation), ElementsAre(shared));
}

TEST(SizeOf, counts_outcomes_and_leaves_out_the_initial_transaction) {
  const Size size = size_of(fixture::aborted_read().history);
  EXPECT_EQ(size.sessions, 2U);
  EXPECT_EQ(size.transactions, 2U);
  EXPECT_EQ(size.committed, 1U);
  EXPECT_EQ(size.aborted, 1U);
  EXPECT_EQ(size.unknown, 0U);
  EXPECT_EQ(size.operations, 2U);
}

TEST(Visibility, is_session_order_reads_and_versions) {
  const fixture::Case c = fixture::serial();
  const auto& witness = std::get<check::Consistent>(c.result.levels[0].verdict);
  using Pair = std::pair<check::TxnId, check::TxnId>;
  // a/1 is 1, a/2 is 2, b/1 is 3; a/1 writes x, b/1 overwrites it, a/2 reads that.
  EXPECT_THAT(visibility(c.history, witness),
              ElementsAre(Pair{{1}, {2}}, Pair{{1}, {3}}, Pair{{3}, {2}}));
}

}  // namespace
}  // namespace isomer::report
