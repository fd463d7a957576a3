// SPDX-License-Identifier: MIT
// What servers promise at their levels, and what they do not.
#include "record/stress.h"

#include <gtest/gtest.h>

#include "check/uncertified.h"
#include "server/local_server.h"
#include "support/effort.h"

namespace isomer::test {
namespace {

using check::Level;
using database::Database;
using database::IsolationLevel;
using record::StressOptions;
using record::StressRun;
using record::StressWorkload;

const server::ServerAddress& address_of(Database database) {
  static const auto start = [](Database of) {
    auto out = server::LocalServer::start(of, Budget());
    EXPECT_TRUE(out) << out.error();
    return std::move(*out);
  };
  static const auto postgresql = start(Database::PostgreSql);
  static const auto mariadb = start(Database::MariaDb);
  return (database == Database::PostgreSql ? postgresql : mariadb)->address();
}

StressRun stressed(StressOptions options, Database database) {
  options.address = address_of(database);
  auto out = record::stress(options);
  EXPECT_TRUE(out) << out.error();
  EXPECT_GT(out->committed, 30U);
  return std::move(*out);
}

check::Verdict verdict(const StressRun& of, Level level) {
  return check::uncertified_verdict(of.history, level, Budget(60.0));
}

bool holds(const StressRun& of, Level level) {
  return std::holds_alternative<check::Consistent>(verdict(of, level));
}

// Within ten seconds.
bool breaks(const StressOptions& options, Database database, Level level) {
  StressOptions again = options;
  again.seconds = effort(2.0, 0.7, 0.7);
  for (again.seed = 1; again.seed <= 8; ++again.seed)
    if (std::holds_alternative<check::Violated>(verdict(stressed(again, database), level)))
      return true;
  return false;
}

constexpr StressWorkload workloads[] = {StressWorkload::ListAppend,
                                        StressWorkload::Register};

TEST(Stress, postgresql_keeps_its_promises) {
  for (const StressWorkload workload : workloads) {
    const auto at = [&](IsolationLevel level) {
      return stressed(
          {.level = level, .workload = workload, .seconds = effort(10.0, 1.0, 1.0)},
          Database::PostgreSql);
    };
    EXPECT_TRUE(holds(at(IsolationLevel::ReadCommitted), Level::RC));
    EXPECT_TRUE(holds(at(IsolationLevel::RepeatableRead), Level::SI));
    EXPECT_TRUE(holds(at(IsolationLevel::Serializable), Level::SER));
  }
}

TEST(Stress, finds_write_skew_at_repeatable_read) {
  for (const StressWorkload workload : workloads)
    EXPECT_TRUE(breaks({.level = IsolationLevel::RepeatableRead, .workload = workload},
                       Database::PostgreSql, Level::SER));
}

TEST(Stress, finds_that_repeatable_read_of_mariadb_is_no_snapshot_isolation) {
  if (is_slow_build) GTEST_SKIP() << "takes long";
  for (const StressWorkload workload : workloads)
    EXPECT_TRUE(breaks({.level = IsolationLevel::RepeatableRead, .workload = workload},
                       Database::MariaDb, Level::SI));
}

TEST(Stress, serializable_of_mariadb_holds) {
  if (is_slow_build) GTEST_SKIP() << "takes long";
  EXPECT_TRUE(holds(
      stressed({.level = IsolationLevel::Serializable, .seconds = effort(10.0, 1.0, 1.0)},
               Database::MariaDb),
      Level::SER));
}

}  // namespace
}  // namespace isomer::test
