// SPDX-License-Identifier: MIT
// The commands, as a person calls them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.h"
#include "support/documents.h"

namespace isomer::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* bank = "examples/apps/simple_bank/workload.toml";

TEST(RecordCommand, saves_a_history_that_check_reads) {
  const Scratch scratch;
  const Outcome recorded =
      run(std::string("isomer record --local --level SERIALIZABLE --sessions 4 --seconds 1 "
                      "-o $SCRATCH/run.jsonl ") +
          bank);
  EXPECT_EQ(recorded.status, 0) << recorded.output;
  EXPECT_THAT(recorded.output,
              HasSubstr("at the end the rows of the server are those of the record"));
  EXPECT_EQ(run("isomer check --level SER $SCRATCH/run.jsonl").status, 0);
}

TEST(RecordCommand, json_follows_its_schema) {
  expect_json(std::string("isomer record --local --json --seconds 0.5 ") + bank, "record");
}

TEST(RecordCommand, refuses_what_cannot_be_recorded) {
  const auto refused = [](const std::string& words, const std::string& why) {
    const Outcome outcome = run("isomer record " + words);
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_THAT(outcome.output, HasSubstr(why)) << words;
    EXPECT_THAT(outcome.output, Not(HasSubstr("secret"))) << words;
  };
  refused(bank, "--on names the server to record, or --local starts one");
  refused(std::string("--on mariadb://ann:secret@localhost/ ") + bank,
          "only PostgreSQL tells which version each statement saw");
  refused(std::string("--on postgresql://ann:secret@localhost:1/x ") + bank, "onnection");
  refused(std::string("--local --level SI ") + bank, "PostgreSQL has no level 'SI'");
  refused("--local examples/withdraw.sql", "no sessions with calls");
}

TEST(StressCommand, tells_whether_the_promise_was_kept) {
  const Outcome kept = run("isomer stress --local --seconds 1");
  EXPECT_EQ(kept.status, 0) << kept.output;
  EXPECT_THAT(kept.output, HasSubstr("kept: serializability"));
  const Outcome broken = run("isomer stress --local --level mariadb:RR --seconds 3");
  EXPECT_EQ(broken.status, 1) << broken.output;
  EXPECT_THAT(broken.output,
              HasSubstr("broken: snapshot isolation, which is what people take MariaDB's"));
}

TEST(StressCommand, json_follows_its_schema) {
  expect_json("isomer stress --local --json --workload register --seconds 0.5", "stress");
}

}  // namespace
}  // namespace isomer::test
