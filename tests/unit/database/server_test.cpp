// SPDX-License-Identifier: MIT
#include "database/server.h"

#include <gtest/gtest.h>

#include "database/innodb/error_codes.h"
#include "database/schedule.h"
#include "database/sqlite/result_codes.h"

namespace isomer::database {
namespace {

TEST(ErrorName, is_what_the_database_calls_it) {
  const program::Fault theirs{.reason = "", .sqlstate = "40001", .at = {}};
  EXPECT_EQ(error_name(theirs), "40001");
  EXPECT_EQ(error_title(theirs), "40001");
  const auto busy = sqlite::fault_of(sqlite::busy, "");
  EXPECT_EQ(error_name(busy), "SQLITE_BUSY");
  EXPECT_EQ(error_title(busy), "SQLITE_BUSY");
  const auto deadlock = innodb::fault_of(innodb::deadlock, "");
  EXPECT_EQ(error_name(deadlock), "1213");
  EXPECT_EQ(error_title(deadlock), "1213 (40001)");
}

TEST(ErrorName, has_words_for_every_code_of_the_models) {
  for (const auto& code : sqlite::result_codes)
    EXPECT_NE(error_words(code.name), "") << code.name;
  for (const auto& code : innodb::error_codes)
    EXPECT_NE(error_words(error_name(innodb::fault_of(code, ""))), "") << code.number;
  for (const auto* sqlstate : {"40001", "40P01", "55P03", "23505", "23503"})
    EXPECT_NE(error_words(sqlstate), "") << sqlstate;
  EXPECT_EQ(error_words("XX000"), "");
}

TEST(Retry, comes_after_errors_that_another_try_may_not_meet) {
  EXPECT_TRUE(may_be_retried(sqlite::fault_of(sqlite::busy, "")));
  EXPECT_TRUE(may_be_retried(sqlite::fault_of(sqlite::busy_snapshot, "")));
  EXPECT_FALSE(may_be_retried(sqlite::fault_of(sqlite::unique_failed, "")));
  EXPECT_TRUE(may_be_retried(innodb::fault_of(innodb::deadlock, "")));
  EXPECT_TRUE(may_be_retried(innodb::fault_of(innodb::lock_wait_timeout, "")));
  EXPECT_TRUE(may_be_retried(innodb::fault_of(innodb::record_changed, "")));
  EXPECT_FALSE(may_be_retried(innodb::fault_of(innodb::duplicate_key, "")));
  EXPECT_TRUE(may_be_retried({.reason = "", .sqlstate = "40P01", .at = {}}));
  EXPECT_FALSE(may_be_retried({.reason = "", .sqlstate = "55P03", .at = {}}));
}

}  // namespace
}  // namespace isomer::database
