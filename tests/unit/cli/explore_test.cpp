// SPDX-License-Identifier: MIT
// Statuses, files and streams of `isomer explore`.
#include <set>
#include <sstream>

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
using testing::Not;

const std::string bank = "isomer explore examples/apps/simple_bank/write_skew.toml ";
const std::string litmus = "isomer explore tests/corpus/program/litmus/";
const std::string long_work = litmus + "shoppingCart-4.txn --level true --algorithm dfs ";

TEST(Explore, status_tells_whether_something_was_found) {
  EXPECT_EQ(run(bank + "--level SI").status, 1);
  EXPECT_EQ(run(bank + "--level SER").status, 0);
  EXPECT_EQ(run(bank + "--level SI --find unserializable").status, 1);
  EXPECT_EQ(run(bank + "--level SER --find unserializable").status, 0);
}

TEST(Explore, json_follows_its_schema) {
  for (const std::string& command :
       {bank + "--level SI", bank + "--level SER", bank + "--find unserializable",
        std::string("isomer explore tests/corpus/cli/monotonic.txn --level RC"),
        std::string("isomer explore examples/apps/tpcc/deliveries.toml --level RC"),
        litmus + "courseware-2.txn --algorithm dfs", long_work + "--timeout 0.2"})
    test::expect_json(command + " --json", "explore");
}

TEST(Explore, a_timeout_leaves_what_is_known) {
  const Outcome outcome = run(long_work + "--timeout 0.3");
  EXPECT_EQ(outcome.status, 3) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("stopped: timeout"));
  EXPECT_THAT(outcome.output, HasSubstr("undecided (timeout): nothing found so far"));
}

TEST(Explore, an_interrupt_ends_it_cleanly) {
  Outcome outcome;
  for (const std::string seconds : {"0.5", "2", "8"}) {
    outcome = run("timeout --preserve-status -s INT " + seconds + " " + long_work);
    if (outcome.status != 130) break;  // 130: it came before anything was explored
  }
  EXPECT_EQ(outcome.status, 3) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("undecided (interrupted)"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("\x1b")));
}

TEST(Explore, writes_every_history_once_and_in_a_form_that_check_reads) {
  const Scratch scratch;
  const std::string command = litmus + "courseware-2.txn --level RA";
  const Outcome told = run(command + " --json --histories $SCRATCH/all.jsonl");
  const auto document = nlohmann::json::parse(told.output);
  std::istringstream lines(test::contents(scratch.path("all.jsonl")));
  std::set<std::string> histories;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(nlohmann::json::parse(line).contains("sessions"));
    EXPECT_TRUE(histories.insert(line).second) << line;
  }
  EXPECT_EQ(histories.size(), document["histories"].get<std::size_t>());
  std::ofstream(scratch.path("one.json")) << *histories.begin() << "\n";
  EXPECT_EQ(run("isomer check --level RA $SCRATCH/one.json").status, 0);
}

TEST(Explore, saves_the_failing_history_in_any_format) {
  const Scratch scratch;
  for (const std::string file : {"f.hist", "f.json", "f.jsonl", "f.dbcop --to dbcop"}) {
    EXPECT_EQ(run(bank + "--level SI -o $SCRATCH/" + file).status, 1) << file;
    const std::string path = file.substr(0, file.find(' '));
    EXPECT_EQ(run("isomer check --level SI $SCRATCH/" + path).status, 0) << file;
    EXPECT_EQ(run("isomer check --level SER $SCRATCH/" + path).status, 1) << file;
  }
}

TEST(Explore, writes_pictures_beside_the_text) {
  const test::Drawn drawn = test::drawn_by(bank + "--level SI");
  EXPECT_EQ(drawn.outcome.status, 1);
  EXPECT_THAT(drawn.outcome.output, HasSubstr("invariant \"no overdraft\" is broken"));
  EXPECT_THAT(drawn.dot, HasSubstr("withdraw(1, 100)"));
  EXPECT_THAT(drawn.page, HasSubstr("<mark>  23      UPDATE account SET balance"));
  EXPECT_THAT(drawn.page, HasSubstr("withdraw(1, 100)"));
}

// There is something to draw even if nothing is found.
TEST(Explore, draws_that_nothing_was_found) {
  EXPECT_THAT(run(bank + "--level SER --dot -").output,
              HasSubstr("nothing found in 2 histories"));
  EXPECT_THAT(run(bank + "--level SER --html -").output,
              HasSubstr("no history that SER allows fails"));
  EXPECT_THAT(run(bank + "--level SER --svg -").output, HasSubstr("</svg>"));
}

// The order of the search, and so the output, does not depend on the number of threads.
TEST(Explore, answers_the_same_with_several_threads) {
  const std::string command =
      "isomer explore examples/apps/twitter/new_followers.toml --level CC ";
  const std::string mask = " | sed 's/ [0-9.]* s .*//; s/ --jobs [0-9]*//'";
  EXPECT_EQ(run(command + "--jobs 1" + mask).output,
            run(command + "--jobs 3" + mask).output);
}

TEST(Explore, counts_the_same_with_and_without_pruning_and_from_every_base) {
  const auto histories = [](const std::string& arguments) {
    const Outcome outcome = run(litmus + "courseware-4.txn --json " + arguments);
    return nlohmann::json::parse(outcome.output)["histories"].get<int>();
  };
  EXPECT_EQ(histories("--level CC"), 69);
  for (const std::string base : {"true", "RC", "RA"}) {
    EXPECT_EQ(histories("--level CC --base " + base), 69) << base;
    EXPECT_EQ(histories("--level CC --no-prune --base " + base), 69) << base;
  }
  EXPECT_EQ(histories("--level SI"), 17);
}

}  // namespace
}  // namespace isomer
