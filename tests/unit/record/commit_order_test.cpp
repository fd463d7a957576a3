// SPDX-License-Identifier: MIT
#include "record/commit_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isomer::record {
namespace {

using testing::ElementsAre;

Snapshot snapshot(std::string_view text, std::uint32_t start = 0) {
  return parse_snapshot(text, start).value();
}

TEST(CommitOrder, reads_snapshots) {
  const Snapshot read = snapshot("740:745:741,743");
  EXPECT_EQ(read.first_running, 740U);
  EXPECT_EQ(read.next, 745U);
  EXPECT_THAT(read.running, ElementsAre(741, 743));
  EXPECT_TRUE(snapshot("7:7:").running.empty());
  EXPECT_FALSE(parse_snapshot("7:", 0));
  EXPECT_FALSE(parse_snapshot("7:8:x", 0));
}

// 12 began last and committed first.
TEST(CommitOrder, follows_snapshots_and_not_numbers) {
  const Writer writers[] = {{.number = 10}, {.number = 11}, {.number = 12}};
  const Snapshot snapshots[] = {snapshot("10:13:10,11"), snapshot("10:13:10"),
                                snapshot("13:13:")};
  const CommitOrder order = order_commits(writers, snapshots);
  EXPECT_EQ(order.problem, "");
  EXPECT_THAT(order.place, ElementsAre(3, 2, 1));
  EXPECT_THAT(order.seen, ElementsAre(1, 2, 3));
}

TEST(CommitOrder, of_writers_that_no_snapshot_parts_is_that_of_versions_then_of_answers) {
  const Writer writers[] = {{.number = 10, .acknowledged = 1, .after = {1}},
                            {.number = 11, .acknowledged = 3},
                            {.number = 12, .acknowledged = 2}};
  const Snapshot snapshots[] = {snapshot("10:10:"), snapshot("13:13:")};
  const CommitOrder order = order_commits(writers, snapshots);
  EXPECT_EQ(order.problem, "");
  EXPECT_THAT(order.place, ElementsAre(2, 1, 3));
}

TEST(CommitOrder, a_key_is_free_before_it_is_taken) {
  const Writer writers[] = {{.number = 10, .acknowledged = 1, .takes = {7}},
                            {.number = 11, .acknowledged = 2, .frees = {7}}};
  const Snapshot snapshots[] = {snapshot("10:10:"), snapshot("12:12:")};
  EXPECT_THAT(order_commits(writers, snapshots).place, ElementsAre(2, 1));
  // Unless it is the row that was inserted.
  const Writer others[] = {{.number = 10, .acknowledged = 1, .takes = {7}},
                           {.number = 11, .acknowledged = 2, .after = {0}, .frees = {7}}};
  EXPECT_THAT(order_commits(others, snapshots).place, ElementsAre(1, 2));
}

TEST(CommitOrder, transactions_that_rolled_back_are_none) {
  const Writer writers[] = {{.number = 12}};
  const Snapshot snapshots[] = {snapshot("10:12:10"), snapshot("10:15:10,11,14")};
  EXPECT_THAT(order_commits(writers, snapshots).seen, ElementsAre(0, 1));
}

TEST(CommitOrder, numbers_of_another_start_of_the_server_are_others) {
  const Writer writers[] = {{.start = 0, .number = 20}, {.start = 1, .number = 15}};
  const Snapshot snapshots[] = {snapshot("21:21:", 0), snapshot("15:16:15", 1),
                                snapshot("16:16:", 1)};
  const CommitOrder order = order_commits(writers, snapshots);
  EXPECT_EQ(order.problem, "");
  EXPECT_THAT(order.place, ElementsAre(1, 2));
  EXPECT_THAT(order.seen, ElementsAre(1, 1, 2));
}

TEST(CommitOrder, nobody_has_committed_before_its_own_snapshot) {
  Snapshot own = snapshot("11:13:");
  add_running(own, 12);
  add_running(own, 12);
  add_running(own, 13);
  EXPECT_THAT(own.running, ElementsAre(12));
  EXPECT_EQ(own.first_running, 11U);
  const Writer writers[] = {{.number = 11}, {.number = 12}};
  EXPECT_THAT(order_commits(writers, {&own, 1}).seen, ElementsAre(1));
}

TEST(CommitOrder, refuses_snapshots_of_no_one_order) {
  const Writer writers[] = {{.number = 10}, {.number = 11}};
  const Snapshot snapshots[] = {snapshot("10:12:10"), snapshot("11:12:11")};
  EXPECT_NE(order_commits(writers, snapshots).problem, "");
}

TEST(CommitOrder, refuses_a_version_that_was_overwritten_too_early) {
  const Writer writers[] = {{.number = 10, .after = {1}}, {.number = 11}};
  const Snapshot snapshots[] = {snapshot("11:12:11"), snapshot("12:12:")};
  EXPECT_NE(order_commits(writers, snapshots).problem, "");
}

}  // namespace
}  // namespace isomer::record
