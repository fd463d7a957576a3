// SPDX-License-Identifier: MIT
#include "base/budget.h"

#include <gtest/gtest.h>

namespace isomer {
namespace {

TEST(Budget, without_a_limit_never_ends) {
  EXPECT_FALSE(Budget().is_exhausted());
  EXPECT_FALSE(Budget(std::nullopt).is_exhausted());
  EXPECT_FALSE(Budget(std::nullopt).is_interrupted());
}

TEST(Budget, of_no_time_is_over_at_once) {
  const Budget budget(0.0);
  EXPECT_TRUE(budget.is_exhausted());
  EXPECT_FALSE(budget.is_interrupted());
  EXPECT_EQ(budget.reason(), "timeout");
}

TEST(Budget, of_an_hour_lasts) {
  EXPECT_FALSE(Budget(3600.0).is_exhausted());
}

TEST(Budget, ends_when_it_is_interrupted) {
  std::atomic<bool> interrupted = false;
  const Budget budget(3600.0, &interrupted);
  EXPECT_FALSE(budget.is_exhausted());
  interrupted = true;
  EXPECT_TRUE(budget.is_exhausted());
  EXPECT_TRUE(budget.is_interrupted());
  EXPECT_EQ(budget.reason(), "interrupted");
}

TEST(Budget, a_part_ends_no_later_than_the_whole) {
  EXPECT_TRUE(Budget(0.0).within(3600.0).is_exhausted());
  EXPECT_TRUE(Budget(3600.0).within(0.0).is_exhausted());
  EXPECT_TRUE(Budget().within(0.0).is_exhausted());
  EXPECT_FALSE(Budget(3600.0).within(1800.0).is_exhausted());
  EXPECT_FALSE(Budget().within(3600.0).is_exhausted());
}

TEST(Budget, a_part_is_interrupted_with_the_whole) {
  std::atomic<bool> interrupted = false;
  const Budget part = Budget(std::nullopt, &interrupted).within(3600.0);
  interrupted = true;
  EXPECT_TRUE(part.is_exhausted());
  EXPECT_EQ(part.reason(), "interrupted");
}

TEST(Budget, ends_when_there_is_no_more_memory) {
  std::atomic<bool> is_used_up = false;
  const Budget budget = Budget(3600.0).with_memory_flag(is_used_up);
  const Budget part = budget.within(1800.0);
  EXPECT_FALSE(part.is_exhausted());
  is_used_up = true;
  EXPECT_TRUE(budget.is_exhausted());
  EXPECT_TRUE(part.is_exhausted());
  EXPECT_EQ(part.reason(), "memory");
  EXPECT_FALSE(part.is_interrupted());
}

TEST(Budget, ends_with_the_whole_or_when_the_asker_has_enough) {
  std::atomic<bool> interrupted = false;
  std::atomic<bool> is_enough = false;
  const Budget whole(std::nullopt, &interrupted);
  const Budget part = whole.within(3600.0).until(is_enough);
  EXPECT_FALSE(part.is_exhausted());
  is_enough = true;
  EXPECT_TRUE(part.is_exhausted());
  EXPECT_EQ(part.reason(), "enough");
  EXPECT_FALSE(whole.is_exhausted());
  is_enough = false;
  interrupted = true;
  EXPECT_TRUE(part.is_exhausted());
  EXPECT_EQ(part.reason(), "interrupted");
}

TEST(Budget, of_looks_ends_at_the_same_one_each_time) {
  std::atomic<std::int64_t> looks = 3;
  const Budget budget = Budget().with_looks(looks);
  const Budget part = budget.within(3600.0);
  EXPECT_FALSE(budget.is_exhausted());
  EXPECT_FALSE(part.is_exhausted());
  EXPECT_TRUE(budget.is_exhausted());
  EXPECT_TRUE(part.is_exhausted());
  EXPECT_EQ(part.reason(), "interrupted");
  EXPECT_FALSE(budget.last_moment(60.0).is_exhausted());
}

TEST(Budget, of_looks_is_asked_by_the_patient_each_time) {
  std::atomic<std::int64_t> looks = 2;
  Patience patience(Budget().with_looks(looks));
  EXPECT_FALSE(patience.is_over());
  EXPECT_TRUE(patience.is_over());
}

TEST(Budget, a_last_moment_is_given_whatever_has_ended_but_memory) {
  std::atomic<bool> interrupted = true;
  std::atomic<bool> is_used_up = false;
  const Budget budget = Budget(0.0, &interrupted).with_memory_flag(is_used_up);
  EXPECT_FALSE(budget.last_moment(60.0).is_exhausted());
  EXPECT_TRUE(budget.last_moment(0.0).is_exhausted());
  is_used_up = true;
  EXPECT_TRUE(budget.last_moment(60.0).is_exhausted());
}

}  // namespace
}  // namespace isomer
