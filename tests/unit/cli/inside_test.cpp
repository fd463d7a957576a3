// SPDX-License-Identifier: MIT
// --stats, --dump and --log: of every command, and never on standard output.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.h"

namespace isomer {
namespace {

using test::Outcome;
using test::run;
using test::Scratch;
using testing::HasSubstr;
using testing::Not;

const std::string bank = "examples/apps/simple_bank/write_skew.toml";

const std::string commands[] = {"check examples/bank.hist",
                                "levels SI",
                                "synth --allow CC --forbid SI",
                                "compare PC SI --scope 3,2,3",
                                "show " + bank,
                                "run " + bank,
                                "explore --level SI " + bank,
                                "predict examples/bookings.trace",
                                "verify --level SI " + bank,
                                "audit --level PSI examples/audit/withdraw.sql",
                                "advise examples/audit/withdraw.sql",
                                "convert --to plume examples/bank.hist",
                                "generate --transactions 5",
                                "completion bash",
                                "man"};

// Times differ from run to run, and memory by a page or two.
const std::string without_times =
    " 2> $SCRATCH/err | sed -E 's/[0-9.]+ s\\b//g; s/[0-9]+ MiB//g'";

TEST(Inside, looking_changes_nothing_on_standard_output) {
  const Scratch scratch;
  for (const std::string& command : commands) {
    const std::string plain = run("isomer " + command + without_times).output;
    const std::string watched =
        run("isomer " + command + " --stats --log debug --dump $SCRATCH/kept" +
            without_times)
            .output;
    EXPECT_EQ(watched, plain) << command;
    const std::string told = run("cat $SCRATCH/err").output;
    EXPECT_THAT(told, HasSubstr("isomer: what was done\n")) << command;
    EXPECT_THAT(told, HasSubstr("\n  in all ")) << command;
    EXPECT_THAT(told, HasSubstr("\n  memory at most ")) << command;
  }
}

TEST(Inside, nobody_is_told_who_did_not_ask) {
  for (const std::string& command : commands)
    EXPECT_THAT(run("isomer " + command + " 2>&1 > /dev/null").output,
                Not(HasSubstr("isomer: ")))
        << command;
}

TEST(Inside, the_answer_of_a_limit_has_statistics_too) {
  const Scratch scratch;
  const Outcome outcome =
      run("mkfifo $SCRATCH/silent; isomer check --stats --timeout 0.1 $SCRATCH/silent");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.output, HasSubstr("what was done\n  reading "));
}

TEST(Inside, every_question_that_is_kept_is_told_in_words) {
  const Scratch scratch;
  run("isomer verify --level SI --dump $SCRATCH/smt " + bank);
  run("isomer synth --allow CC --forbid SI --scope 3,2,3 --dump $SCRATCH/sat");
  const std::string index = run("cat $SCRATCH/*/index.txt | grep -v '(not kept): '").output;
  EXPECT_THAT(index, HasSubstr("verifying " + bank + ", no overdraft at SI: SMT: "));
  std::size_t count = 0;
  for (const std::string folder : {"smt", "sat"})
    for (const auto& entry : std::filesystem::directory_iterator(scratch.path(folder)))
      count += entry.path().extension() != ".txt" ? 1 : 0;
  EXPECT_EQ(count, static_cast<std::size_t>(std::ranges::count(index, '\n')));
  EXPECT_GT(count, 2U);
}

// As many clauses as the first line says.
TEST(Inside, circuits_are_kept_whole) {
  const Scratch scratch;
  for (const std::string command :
       {"synth --allow CC --forbid SI", "compare PC SI --scope 3,2,3",
        "predict examples/bookings.trace", "check tests/corpus/effort/ambiguous.hist"}) {
    run("rm -rf $SCRATCH/kept; isomer " + command + " --dump $SCRATCH/kept");
    const Outcome outcome =
        run("for file in $SCRATCH/kept/*.cnf; do awk '/^p/ { declared = $4; next } /^c/ { "
            "next } { ++found } END { exit found + 0 != declared }' $file || echo $file; "
            "done; ls $SCRATCH/kept/*.cnf > /dev/null");
    EXPECT_EQ(outcome.status, 0) << command;
    EXPECT_EQ(outcome.output, "") << command;
  }
}

TEST(Inside, a_folder_that_cannot_be_made_is_bad_usage) {
  const Outcome outcome = run("isomer check --dump /dev/null/x examples/bank.hist");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("--dump: cannot make the folder '/dev/null/x'"));
  EXPECT_EQ(run("isomer check --log loud examples/bank.hist").status, 2);
}

}  // namespace
}  // namespace isomer
