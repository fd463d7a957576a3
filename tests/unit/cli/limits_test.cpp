// SPDX-License-Identifier: MIT
// --timeout, --memory and Ctrl-C: whatever a command is doing, it ends soon after them,
// with status 3 and an answer that programs can read.
#include <chrono>
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/documents.h"
#include "support/effort.h"

namespace isomer {
namespace {

using test::Outcome;
using test::run;
using test::Scratch;
using testing::HasSubstr;

// Other tests run at the same time, and the sanitizers take a while to start and to end.
constexpr double slack_seconds = is_slow_build ? 10 : 3;

struct Timed {
  Outcome outcome;
  double seconds = 0;
};

Timed timed(const std::string& command) {
  const auto start = std::chrono::steady_clock::now();
  Outcome outcome = run(command);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return {std::move(outcome), took.count()};
}

// Inputs that keep a command busy for minutes.
class Limits : public testing::Test {
 protected:
  // A named pipe that nobody writes to.
  std::string silent_pipe() {
    const std::string path = scratch_.path("pipe.hist");
    EXPECT_EQ(run("mkfifo " + path).status, 0);
    return path;
  }

  // Every value was written by thousands of transactions.
  std::string duplicates() {
    return generated("--mode si --transactions 20000 --values 5", "duplicates.txt");
  }

  std::string large() {
    return generated("--mode si --transactions 100000 --sessions 100", "large.txt");
  }

  std::string hundreds() {
    return generated("--mode si --transactions 200", "hundreds.txt");
  }

  Scratch scratch_;

 private:
  std::string generated(const std::string& options, const std::string& name) {
    const std::string path = scratch_.path(name);
    EXPECT_EQ(run("isomer generate " + options + " -o " + path).status, 0);
    return path;
  }
};

struct Phase {
  std::string command;
  std::string schema;  // empty: the command has no --json
};

// It may have an answer in time, if the limits of its own are lower; but not later.
void expect_in_time(const Phase& phase, double limit_seconds) {
  const std::string json = phase.schema.empty() ? "" : " --json";
  const std::string command = fmt::format("isomer {}{} --timeout {} > $SCRATCH/answer",
                                          phase.command, json, limit_seconds);
  const Timed result = timed(command);
  EXPECT_LT(result.seconds, 1.1 * limit_seconds + 1 + slack_seconds) << command;
  EXPECT_EQ(result.outcome.status, 3) << command << "\n" << result.outcome.output;
  if (!phase.schema.empty()) test::expect_json("cat $SCRATCH/answer", phase.schema);
}

TEST_F(Limits, end_every_command_in_every_phase) {
  const std::string tpcc = "examples/apps/tpcc/tpcc.sql";
  const std::string pipe = silent_pipe();
  const Phase phases[] = {
      {"check " + pipe, "check"},
      {"check --level adya:PL-3 " + hundreds(), "check"},
      {"check " + duplicates(), "check"},
      {"check /dev/zero", "check"},
      {"convert --to hist " + pipe, ""},
      {"convert --to hist /dev/zero", ""},
      {"generate --transactions 100000000 -o /dev/null", ""},
      {"predict " + pipe, "predict"},
      {"synth --allow SER --forbid SI --scope 20,12,20", "synth"},
      {"compare --all --scope 7,4,7 --prove", "compare"},
      {"compare SER SI --scope 20,12,20", "compare"},
      {"run --level SI --runs 10000000 examples/apps/simple_bank/write_skew.toml", "run"},
      {"run --script " + pipe + " examples/apps/simple_bank/write_skew.toml", "run"},
      {"explore --algorithm dfs tests/corpus/program/litmus/shoppingCart-4.txn", "explore"},
      {"verify --instances 4 examples/apps/tpcc/workload.toml", "verify"},
      {"audit --max-cycle 12 --level PSI " + tpcc, "audit"},
      {"advise --max-cycle 12 " + tpcc, "advise"},
  };
  for (const Phase& phase : phases)
    expect_in_time(phase, 0.5);
}

TEST_F(Limits, say_what_was_being_done) {
  const std::string pipe = silent_pipe();
  const Outcome outcome = run("isomer check --timeout 0.1 " + pipe);
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.output,
            "isomer check: undecided: the time limit ended while reading " + pipe + "\n");
  const Outcome json = run("isomer check --json --timeout 0.1 " + pipe + " 2> /dev/null");
  EXPECT_THAT(json.output, HasSubstr("\"reason\": \"timeout\""));
  EXPECT_THAT(json.output, HasSubstr("\"while\": \"reading "));
  EXPECT_THAT(json.output, HasSubstr("\"histories\": []"));
}

// A file that cannot be read in time takes nothing away from those before it.
TEST_F(Limits, leave_what_was_decided_before) {
  const std::string pipe = silent_pipe();
  const std::string files =
      "examples/bank.hist " + pipe + " examples/write_skew.hist --timeout 0.5";
  const Outcome text = run("isomer check " + files);
  EXPECT_EQ(text.status, 1);
  EXPECT_THAT(text.output, HasSubstr("lost update on balance"));
  EXPECT_THAT(text.output, HasSubstr("the time limit ended while reading " + pipe));
  EXPECT_THAT(text.output, HasSubstr("write_skew.hist: not checked: timeout"));
  const std::string command = "isomer check --json " + files + " 2> /dev/null";
  test::expect_json(command, "check");
  const Outcome json = run(command);
  EXPECT_EQ(json.status, 1);
  EXPECT_THAT(json.output, HasSubstr("\"file\": \"examples/bank.hist\""));
  EXPECT_THAT(json.output, HasSubstr("\"not_checked\": [\n    \"" + pipe +
                                     "\",\n    \"examples/write_skew.hist\"\n  ]"));
  EXPECT_THAT(json.output, HasSubstr("\"while\": \"reading " + pipe + "\""));
}

TEST_F(Limits, of_memory_leave_a_question_undecided) {
  const Phase phases[] = {
      {"check /dev/zero", "check"},
      {"check --level SI " + large(), "check"},
      {"generate --transactions 20000000 -o /dev/null", ""},
      {"check --level adya:PL-3 " + hundreds(), "check"},
  };
  for (const Phase& phase : phases) {
    const std::string command =
        fmt::format("isomer {}{} --memory 60 --timeout 100", phase.command,
                    phase.schema.empty() ? "" : " --json");
    const Outcome outcome = run(command + " > $SCRATCH/answer");
    EXPECT_EQ(outcome.status, 3) << command << "\n" << outcome.output;
    EXPECT_THAT(outcome.output + run("cat $SCRATCH/answer").output, HasSubstr("memory"))
        << command;
    if (!phase.schema.empty()) test::expect_json("cat $SCRATCH/answer", phase.schema);
  }
}

TEST_F(Limits, are_four_fifths_of_the_memory_without_an_option) {
  const Outcome outcome = run("isomer levels SI --memory 0");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("--memory: expected a whole number from 1"));
}

// --- Ctrl-C ---

void expect_interrupted(const std::string& how, const std::string& command) {
  const Timed result = timed(how);
  EXPECT_EQ(result.outcome.status, 3) << command << "\n" << result.outcome.output;
  EXPECT_LT(result.seconds, 1.5 + slack_seconds) << command;
  EXPECT_THAT(result.outcome.output, HasSubstr("interrupted")) << command;
}

TEST_F(Limits, a_person_who_has_had_enough_is_obeyed) {
  const std::string pipe = silent_pipe();
  for (const std::string& command :
       {"isomer check " + pipe, "isomer check --level adya:PL-3 " + hundreds(),
        std::string("isomer synth --allow SER --forbid SI --scope 20,12,20"),
        std::string("isomer explore --algorithm dfs "
                    "tests/corpus/program/litmus/shoppingCart-4.txn")})
    expect_interrupted("timeout --preserve-status --foreground -s INT 0.5 " + command,
                       command);
}

// The shell starts a background job with SIGINT ignored.
TEST_F(Limits, a_background_job_hears_of_it_too) {
  const std::string pipe = silent_pipe();
  for (const std::string& command :
       {"isomer check " + pipe,
        std::string("isomer synth --allow SER --forbid SI --scope 20,12,20")})
    expect_interrupted(command + " & job=$!; sleep 0.5; kill -INT $job; wait $job",
                       command);
}

TEST_F(Limits, a_second_interruption_ends_the_program_at_once) {
  // Nobody reads what it writes, so that it cannot end by itself.
  const Timed result = timed(
      "mkfifo $SCRATCH/out; sleep 5 < $SCRATCH/out & isomer generate --transactions "
      "20000 > $SCRATCH/out & job=$!; sleep 1; kill -INT $job; sleep 0.1; "
      "kill -INT $job; wait $job");
  EXPECT_EQ(result.outcome.status, 130) << result.outcome.output;
}

// --- what is not a limit ---

TEST_F(Limits, a_program_must_be_a_file) {
  const Outcome outcome = run("mkfifo $SCRATCH/app.sql; isomer show $SCRATCH/app.sql");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("not a regular file"));
}

TEST_F(Limits, that_are_not_met_change_nothing) {
  const std::string command = "isomer check examples/bank.hist";
  EXPECT_EQ(run(command + " --timeout 60 --memory 4000").output, run(command).output);
}

}  // namespace
}  // namespace isomer
