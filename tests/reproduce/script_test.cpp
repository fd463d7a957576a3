// SPDX-License-Identifier: MIT
// --psql and --isolation-spec: PostgreSQL's own tester plays what is written, and comes to
// the same end.
#include <filesystem>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reproduce/targets.h"
#include "support/command.h"

namespace isomer::test {
namespace {

using testing::HasSubstr;

constexpr const char* tester =
    "/usr/lib/postgresql/15/lib/pgxs/src/test/isolation/isolationtester";

// What the tester says of the spec of this run; it plays it in a database of its own.
std::string played(const std::string& command) {
  const std::string url = url_of(database::Database::PostgreSql);
  const Outcome outcome =
      run(fmt::format("isomer {} --isolation-spec $SCRATCH/spec > $SCRATCH/told; "
                      "[ $? -le 1 ] && {} '{}' < $SCRATCH/spec || cat $SCRATCH/spec",
                      command, tester, url));
  return outcome.output;
}

TEST(IsolationSpec, is_played_by_postgresqls_own_tester) {
  if (!std::filesystem::exists(tester)) GTEST_SKIP() << "there is no isolationtester";
  const Scratch scratch;
  const std::string told = played("explore --level pg:RR examples/withdraw.toml");
  EXPECT_THAT(told, HasSubstr("starting permutation: atm 1 atm 2 web 3 web 4"));
  // The invariant in the end.
  EXPECT_TRUE(std::regex_search(told, std::regex("\nf +\n\\(1 row\\)"))) << told;
}

// With waits, errors, EXCEPTION blocks and retries.
TEST(IsolationSpec, of_the_cases_are_played) {
  if (!std::filesystem::exists(tester)) GTEST_SKIP() << "there is no isolationtester";
  const Scratch scratch;
  std::size_t count = 0;
  for (const char* const name :
       {"deadlock", "epq_replace", "epq_subquery", "g_single_predicate", "index_only_scan",
        "fk_new_parent", "stale_guard_then_update", "two_statements"}) {
    const std::string told = played(
        fmt::format("explore --level pg:RC tests/corpus/database/cases/{}.toml", name));
    EXPECT_THAT(told, HasSubstr("starting permutation:")) << name;
    EXPECT_EQ(told.find("syntax error"), std::string::npos) << name << "\n" << told;
    ++count;
  }
  for (int seed = 1; seed <= 5; ++seed, ++count)
    EXPECT_THAT(played(fmt::format("run --level pg:SER --seed {} "
                                   "tests/corpus/database/cases/job_queue.toml",
                                   seed)),
                HasSubstr("starting permutation:"));
  EXPECT_EQ(count, 13U);
}

TEST(TerminalScript, says_who_does_what) {
  const Outcome outcome =
      run("isomer explore --level pg:RR examples/withdraw.toml --psql -");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("\n-- 3. web\nBEGIN ISOLATION LEVEL REPEATABLE "
                                        "READ;\nSELECT "));
  EXPECT_THAT(outcome.output, HasSubstr("--    returns 120\n"));
  EXPECT_THAT(outcome.output, HasSubstr("--    no overdraft: is broken\n"));
}

// As if one person had typed it, as far as no step waits.
TEST(TerminalScript, is_read_by_psql) {
  if (!std::filesystem::exists("/usr/bin/psql")) GTEST_SKIP() << "there is no psql";
  const Outcome outcome =
      run(fmt::format("isomer run --level pg:RC --schedule 'atm atm atm web web web' "
                      "examples/withdraw.toml "
                      "--psql - | psql -v ON_ERROR_STOP=1 -q '{}'",
                      url_of(database::Database::PostgreSql)));
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_EQ(outcome.output.find("ERROR"), std::string::npos) << outcome.output;
}

TEST(Scripts, are_for_postgresql) {
  const Outcome outcome =
      run("isomer explore --level mariadb:RR examples/withdraw.toml --psql -");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("--psql is for levels of PostgreSQL"));
}

}  // namespace
}  // namespace isomer::test
