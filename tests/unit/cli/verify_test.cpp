// SPDX-License-Identifier: MIT
// Statuses, files and streams of `isomer verify`.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/documents.h"

namespace isomer {
namespace {

using test::Outcome;
using test::run;
using test::Scratch;
using testing::HasSubstr;

const std::string bank = "isomer verify examples/apps/simple_bank/write_skew.toml ";

TEST(Verify, status_tells_whether_all_invariants_hold) {
  EXPECT_EQ(run(bank + "--level SI").status, 1);
  EXPECT_EQ(run(bank + "--level SER").status, 0);
  EXPECT_EQ(run(bank + "--level SER,SI").status, 1);
  EXPECT_EQ(run(bank + "--level SER --timeout 0.000001").status, 3);
}

TEST(Verify, json_follows_its_schema) {
  for (const std::string& command :
       {bank, bank + "--level SER", bank + "--encoding paper", bank + "--timeout 0.000001",
        bank + "--level PSI,SI --no-lost-updates --constraints"})
    test::expect_json(command + " --json", "verify");
}

TEST(Verify, asks_the_standard_levels_from_ec_to_ser) {
  const auto document = nlohmann::ordered_json::parse(run(bank + "--json").output);
  std::string levels;
  for (const auto& [level, answers] : document["levels"].items())
    levels += fmt::format("{} ", level);
  EXPECT_EQ(levels, "RC EC RA CC PC PSI SI SER ");
  EXPECT_EQ(document["weakest_sufficient"], nlohmann::json({"SER"}));
}

TEST(Verify, a_timeout_says_what_is_undecided) {
  const Outcome outcome = run(bank + "--level SI,SER --timeout 0.000001");
  EXPECT_EQ(outcome.status, 3) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("no overdraft is undecided at SI: timeout"));
}

TEST(Verify, the_violation_can_be_checked_and_explored) {
  const Scratch scratch;
  EXPECT_EQ(
      run(bank + "--level SI -o $SCRATCH/v.hist --scenario-out $SCRATCH/v.toml").status, 1);
  EXPECT_EQ(run("isomer check --level SI $SCRATCH/v.hist").status, 0);
  EXPECT_EQ(run("isomer check --level SER $SCRATCH/v.hist").status, 1);
  EXPECT_EQ(run("isomer explore --level SI $SCRATCH/v.toml").status, 1);
  EXPECT_EQ(run("isomer explore --level SER $SCRATCH/v.toml").status, 0);
}

TEST(Verify, asks_about_any_two_transactions) {
  const std::string any_two =
      "isomer verify --instances 2 examples/apps/simple_bank/workload.toml ";
  const Outcome broken = run(any_two + "--level SI");
  EXPECT_EQ(broken.status, 1);
  EXPECT_THAT(broken.output, HasSubstr("any 2 transactions at once of 3 types"));
  EXPECT_THAT(broken.output, HasSubstr("with ?account_id1 = "));
  const Outcome fine = run(any_two + "--level SER");
  EXPECT_EQ(fine.status, 0);
  EXPECT_THAT(fine.output, HasSubstr("\"holds\" is proved for at most 3 rows"));
}

TEST(Verify, writes_pictures_beside_the_text) {
  const test::Drawn drawn = test::drawn_by(bank + "--level SI");
  EXPECT_EQ(drawn.outcome.status, 1);
  EXPECT_THAT(drawn.outcome.output, HasSubstr("SI: invariant \"no overdraft\" is broken"));
  EXPECT_THAT(drawn.dot, HasSubstr("withdraw(1, 100)"));
  EXPECT_THAT(drawn.page, HasSubstr("<mark>  23      UPDATE account SET balance"));
  EXPECT_THAT(drawn.page, HasSubstr("VIOLATED"));
}

TEST(Verify, refuses_what_it_cannot_verify) {
  const Outcome litmus = run("isomer verify tests/corpus/cli/monotonic.txn");
  EXPECT_EQ(litmus.status, 2);
  EXPECT_THAT(litmus.output, HasSubstr("works on SQL applications"));
  const Outcome workload = run("isomer verify examples/apps/simple_bank/workload.toml");
  EXPECT_EQ(workload.status, 2);
  EXPECT_THAT(workload.output, HasSubstr("--instances 2"));
  EXPECT_EQ(run(bank + "--level XX").status, 2);
  EXPECT_EQ(run(bank + "--rows 1000").status, 2);
  EXPECT_EQ(run(bank + "--encoding exactly").status, 2);
  EXPECT_EQ(run("isomer verify no_such_file.toml").status, 2);
}

}  // namespace
}  // namespace isomer
