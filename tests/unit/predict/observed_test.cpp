// SPDX-License-Identifier: MIT
#include "predict/observed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/history/reading.h"

namespace isomer::predict {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(Observed, keys_that_nobody_writes_are_only_cuts) {
  const History history = history::history_of(
      "a: { r(p)=0 r(q)=0 w(x)=1 r(p)=0 r(x)=1 r(q)=0 } { r(x)=1 r(p)=0 r(q)=0 }\n"
      "b: { r(q)=0 } { r(x)=1 w(x)=2 w(x)=3 }\n");
  const Observed observed = observe(history);
  ASSERT_EQ(observed.keys.size(), 1U);
  ASSERT_EQ(observed.txns.size(), 5U);
  // Of several in a row the first; an own read between them changes nothing.
  EXPECT_THAT(observed.txns[1].cuts, ElementsAre(Pair(0, 0), Pair(3, 3)));
  EXPECT_THAT(observed.txns[2].cuts, ElementsAre(Pair(7, 7)));
  EXPECT_THAT(observed.txns[3].cuts, ElementsAre(Pair(9, 9)));
  EXPECT_THAT(observed.txns[4].cuts, IsEmpty());
  EXPECT_THAT(observed.writers[0], ElementsAre(0, 1, 4));
  EXPECT_THAT(observed.sessions, ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4)));
}

TEST(Observed, own_reads_are_no_reads_and_writes_reach_from_the_first_to_the_last) {
  const History history =
      history::history_of("a: { r(x)=0 r(x)=0 w(x)=1 r(x)=1 w(x)=2 }\nb: { r(x)=2 }\n");
  const Observed observed = observe(history);
  ASSERT_EQ(observed.reads.size(), 3U);
  EXPECT_EQ(observed.reads[0].op, 0U);
  EXPECT_EQ(observed.reads[1].op, 1U);
  EXPECT_EQ(observed.reads[2].op, 5U);
  EXPECT_EQ(observed.reads[2].writer, 1U);
  ASSERT_NE(observed.txns[1].find_write(0), nullptr);
  EXPECT_EQ(observed.txns[1].find_write(0)->first, 2U);
  EXPECT_EQ(observed.txns[1].find_write(0)->last, 4U);
  EXPECT_EQ(observed.txns[2].find_write(0), nullptr);
  EXPECT_NE(observed.txns[0].find_write(0), nullptr);
}

TEST(Observed, nobody_reads_an_initial_value_that_is_not_there) {
  const History history = history::history_of(
      "init none y=0\na: { w(x)=1 r(y)=0 }\nb: { r(x)=1 w(y)=1 }\n"
      "c: { w(x)=2 r(y)=1 }\n");
  const Observed observed = observe(history);
  ASSERT_EQ(observed.reads.size(), 3U);
  EXPECT_THAT(readable(observed),
              ElementsAre(ElementsAre(2), ElementsAre(3), ElementsAre(0)));
}

TEST(Observed, aborted_transactions_are_left_out) {
  const History history =
      history::history_of("a: { w(x)=1 } abort { w(x)=2 } { r(x)=2 }\nb: { r(x)=2 }\n");
  const Observed observed = observe(history);
  ASSERT_EQ(observed.txns.size(), 4U);
  EXPECT_THAT(observed.writers[0], ElementsAre(0, 1));
  EXPECT_EQ(observed.txns[1].id.index, 2U);
  EXPECT_EQ(observed.txns[2].previous, 1U);
}

TEST(Observed, nobody_reads_from_the_future_of_its_session) {
  const History history =
      history::history_of("a: { w(x)=1 } { r(x)=1 w(x)=2 } { w(x)=3 }\nb: { w(x)=4 }\n");
  EXPECT_THAT(readable(observe(history)), ElementsAre(ElementsAre(0, 4)));
}

}  // namespace
}  // namespace isomer::predict
