// SPDX-License-Identifier: MIT
// Statuses, files and streams of `isomer audit` and `isomer advise`.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/documents.h"
#include "support/effort.h"

namespace isomer {
namespace {

using test::Outcome;
using test::run;
using test::Scratch;
using testing::HasSubstr;
using testing::Not;

const std::string audit = "isomer audit examples/audit/withdraw.sql ";

TEST(Audit, status_tells_whether_there_are_anomalies) {
  EXPECT_EQ(run(audit + "--level EC").status, 1);
  EXPECT_EQ(run(audit + "--level PSI").status, 0);
  EXPECT_EQ(run(audit + "--level PSI,EC").status, 1);
  EXPECT_EQ(run(audit + "--level PSI --timeout 0.000001").status, 3);
}

TEST(Audit, json_follows_its_schema) {
  for (const std::string options : {"--level EC", "--level EC --no-confirm", "--prove"})
    test::expect_json(audit + options + " --json", "audit");
  for (const std::string options : {"", " --ignore-harmless --prove"})
    test::expect_json(
        "isomer audit --level SI --json "
        "tests/corpus/defects/audit/unnoticed_read.sql" +
            options,
        "audit");
}

TEST(Audit, refuses_what_it_cannot_audit) {
  for (const char* wrong : {"--level RC", "--level adya:PL-3", "--level XX",
                            "--max-cycle 1", "--ignore-harmless --no-confirm"}) {
    const Outcome outcome = run(audit + wrong);
    EXPECT_EQ(outcome.status, 2) << wrong << "\n" << outcome.output;
  }
  EXPECT_THAT(run(audit + "--level RC").output, HasSubstr("do not share one snapshot"));
  EXPECT_EQ(run("isomer audit tests/corpus/program/litmus/shoppingCart-4.txn").status, 2);
}

TEST(Audit, scenarios_of_anomalies_can_be_explored) {
  const Scratch scratch;
  run(audit + "--level EC --scenario-out $SCRATCH/found");
  const Outcome outcome =
      run("isomer explore --level cerone:EC --find unserializable --granularity field "
          "$SCRATCH/found/EC-1.toml");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
}

// Runs what the text says after "Replay it:"; gives how many that were.
int replayed(const std::string& output) {
  constexpr std::string_view hint = "Replay it: ";
  int count = 0;
  for (std::size_t at = output.find(hint); at != std::string::npos;
       at = output.find(hint, at + 1)) {
    const std::size_t start = at + hint.size();
    const std::string command = output.substr(start, output.find('\n', start) - start);
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 1) << command << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("no serial order explains this history"));
    ++count;
  }
  return count;
}

TEST(Audit, every_scenario_that_it_writes_can_be_replayed) {
  if (is_slow_build) GTEST_SKIP() << "takes minutes";
  const Scratch scratch;
  const Outcome bank =
      run("isomer audit --level PSI,SI --scenario-out $SCRATCH/found "
          "examples/apps/simple_bank/simple_bank.sql");
  EXPECT_EQ(bank.status, 1);
  EXPECT_GE(replayed(bank.output), 4);
  const Outcome several_levels =
      run("isomer audit --scenario-out $SCRATCH/mixed examples/audit/upgraded.toml");
  EXPECT_GE(replayed(several_levels.output), 1);
}

// A level without a name of its own, and cycles that need a transaction beside their own.
TEST(Audit, what_is_replayed_has_the_calls_that_are_shown) {
  if (is_slow_build) GTEST_SKIP() << "takes half a minute";
  const Scratch scratch;
  const Outcome outcome =
      run("isomer audit --level anode:PSI --max-cycle 3 --scenario-out $SCRATCH/found "
          "examples/papers/anode/queue.sql");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  const int count = replayed(outcome.output);
  EXPECT_GE(count, 1) << outcome.output;
  const auto occurrences = [](const std::string& text, const std::string& part) {
    std::size_t out = 0;
    for (std::size_t at = text.find(part); at != std::string::npos;
         at = text.find(part, at + 1))
      ++out;
    return out;
  };
  const std::string scenario = test::contents(scratch.path("found/anode-PSI-1.toml"));
  const std::size_t start = outcome.output.find("(confirmed)");
  const std::size_t end = outcome.output.find("-->", start);
  const std::string calls = outcome.output.substr(start, end - start);
  EXPECT_EQ(occurrences(scenario, "[[session]]"),
            occurrences(calls, "\n  t") - 1)  // the last one is of a dependency
      << scenario << outcome.output;
}

TEST(Audit, draws_and_writes_pages) {
  const test::Drawn drawn = test::drawn_by(audit + "--prove --level EC,PSI");
  EXPECT_EQ(drawn.outcome.status, 1) << drawn.outcome.output;
  EXPECT_THAT(drawn.dot, HasSubstr("EC: lost update"));
  for (const char* part :
       {"NOT serializable", "proved for any number of transactions", "confirmed",
        "writes over what the other wrote", "UPDATE account SET balance",
        "INSERT INTO account VALUES", "What happens", "class=\"arrow rw cycle\""})
    EXPECT_THAT(drawn.page, HasSubstr(part));
}

TEST(Audit, leaves_the_question_open_if_nothing_is_confirmed) {
  const Outcome outcome =
      run("isomer audit --level SI --timeout 0.2 "
          "examples/apps/wikipedia/wikipedia.sql");
  EXPECT_EQ(outcome.status, 3) << outcome.output;
}

TEST(Advise, says_that_read_committed_is_outside) {
  for (const char* words : {"--levels RC,SI", "--levels \"READ COMMITTED\"",
                            "--database postgresql --levels rc"}) {
    const Outcome outcome =
        run(std::string("isomer advise examples/audit/withdraw.sql ") + words);
    EXPECT_EQ(outcome.status, 2) << words;
    EXPECT_THAT(outcome.output, HasSubstr("READ COMMITTED cannot be audited"));
  }
}

TEST(Advise, status_tells_whether_something_is_enough) {
  const std::string advise = "isomer advise examples/audit/withdraw.sql ";
  EXPECT_EQ(run(advise + "--levels EC,PSI").status, 0);
  EXPECT_EQ(run(advise + "--levels EC,CC").status, 1);
  EXPECT_EQ(run(advise + "--timeout 0.000001").status, 3);
}

TEST(Advise, writes_a_page) {
  const Scratch scratch;
  run("isomer advise --levels PSI,SER examples/audit/withdraw.sql --html $SCRATCH/a.html");
  EXPECT_THAT(test::contents(scratch.path("a.html")),
              HasSubstr("Nothing has to be changed: PSI for all types"));
  run("isomer advise --levels EC,PSI examples/audit/withdraw.sql --html $SCRATCH/b.html");
  const std::string page = test::contents(scratch.path("b.html"));
  for (const char* part : {"1 of 1 type changed, price 1", "with EC, lost update",
                           "make pairs serial", "If nothing is changed", "</html>"})
    EXPECT_THAT(page, HasSubstr(part));
}

TEST(Advise, json_follows_its_schema) {
  for (const std::string options : {"", "--levels EC,PSI", "--database postgresql"})
    test::expect_json("isomer advise examples/audit/withdraw.sql --json " + options,
                      "advise");
}

// --- defects ---

// tests/corpus/defects/audit/NAME.sql says in comments which commands must end how:
// `-- run: COMMAND`, then `-- status: N`, `-- says: TEXT` and `-- never: TEXT`.
class AuditDefect : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(AuditDefect, stays_mended) {
  const Scratch scratch;
  std::istringstream lines(test::contents(GetParam()));
  Outcome outcome;
  std::string command;
  int checks = 0;
  for (std::string line; std::getline(lines, line) && line.starts_with("--");) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    const std::string word = line.substr(3, colon - 3);
    const std::string text = line.substr(colon + 2);
    if (word == "run") {
      command = text;
      if (const std::size_t at = command.find("FOLDER"); at != std::string::npos)
        command.replace(at, 6, GetParam().parent_path().string());
      outcome = run(command);
    }
    const std::string shown = command + "\n" + outcome.output;
    if (word == "status") {
      EXPECT_EQ(std::to_string(outcome.status), text) << shown;
      ++checks;
    } else if (word == "says") {
      EXPECT_THAT(outcome.output, HasSubstr(text)) << command;
    } else if (word == "never") {
      EXPECT_THAT(outcome.output, Not(HasSubstr(text))) << command;
    }
  }
  EXPECT_GT(checks, 0);
}

INSTANTIATE_TEST_SUITE_P(Files, AuditDefect,
                         testing::ValuesIn(test::files_in(test::corpus / "defects/audit",
                                                          ".sql")),
                         [](const auto& test) { return test.param.stem().string(); });

}  // namespace
}  // namespace isomer
