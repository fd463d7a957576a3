// SPDX-License-Identifier: MIT
// What programs may rely on: the fields of each JSON document, every value they may have,
// and the exit statuses.  Fields may be added to a document; these never change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/documents.h"
#include "support/shape.h"

namespace isomer {
namespace {

using test::Json;
using test::Outcome;
using test::run;
using test::Scratch;
using test::Shape;

struct Case {
  std::string arguments;
  int status;
};

struct Contract {
  std::string command;
  std::string shape;
  std::vector<Case> cases;  // together they show every value and every status
  std::string input = {};   // what is piped into each
};

void PrintTo(const Contract& contract, std::ostream* out) {
  *out << contract.command;
}

const char* const definitions = R"({
  "history": {"sessions": [{"name": "string", "transactions": [
    {"name": "string", "status": "one of committed|aborted|unknown",
     "operations": [["scalar"]]}]}]},
  "level verdict": {"verdict": "ok|violation|unknown", "anomaly?": "string",
    "axiom?": "string", "transactions?": ["string"], "seconds": "number",
    "edges?": [{"from": "string", "to": "string", "kind": "wr|ww|rw|so",
                "key?": "string or null"}]}
})";

const std::string bank = "examples/apps/simple_bank/write_skew.toml ";
const std::string withdraw = "examples/audit/withdraw.sql ";

const Contract contracts[] = {
    {"check",
     R"({"histories": [{"file": "string", "sessions": "count", "transactions": "count",
         "operations": "count", "levels": {"*": "level verdict"}}]})",
     {{"examples/serial.hist", 0},
      {"--level PC,SI examples/bank.hist", 1},
      {"--level CC examples/causality.hist tests/corpus/anomaly/read_your_writes.hist", 1},
      {"--level SER examples/write_skew.hist --format hist", 1},
      {"--level adya:PL-3 -", 3},
      {"--level SI --timeout 0.000001 -", 3}},
     "isomer generate --transactions 5000 --sessions 50 --keys 200"},
    {"levels",
     R"({"levels": [{"name": "string", "framework": "string", "title": "string"}]})",
     {{"", 0}, {"SI", 0}, {"examples/isolde.level:NLU", 0}}},
    {"synth",
     R"({"result": "found|none|unknown", "candidates": "count", "seconds": "number",
         "scope": {"transactions": "count", "keys": "count", "values": "count"},
         "history": "history or null", "witnesses": {}})",
     {{"--allow SI --forbid SER", 0},
      {"--allow SI --allow PC --forbid SER --scope 3,2,3 --any", 0},
      {"--allow SER --forbid SI --scope 2,2,2", 1},
      {"--allow SER --forbid SI --timeout 0.000001", 3}}},
    {"compare",
     R"({"relation": "equivalent|stronger|weaker|incomparable|unknown",
         "proof": "scope|unbounded", "left_not_right": "history or null",
         "right_not_left": "history or null"})",
     {{"PC PSI", 0},
      {"SI SER --scope 3,2,3", 0},
      {"SER SI --scope 2,2,3 --prove", 0},
      {"SI cerone:SI --scope 2,2,3", 0},
      {"SER SI --timeout 0.000001", 3}}},
    {"run",
     R"({"runs": "count", "unserializable": "count",
         "invariants": {"*": {"held": "count", "broken": "count"}},
         "first_failing_seed": "count or null"})",
     {{bank, 0},
      {bank + "--level SI --policy random --seed 5 --runs 1", 1},
      {bank + "--policy latest", 0},
      {bank + "--level SI --runs 20", 1},
      {bank + "--timeout 0.000001", 3}}},
    {"explore",
     R"({"level": "string", "histories": "count", "end_states": "count",
         "explored": "count", "blocked": "count", "assertion_failures": "count",
         "complete": "boolean", "seconds": "number", "peak_mib": "number"})",
     {{bank + "--level SER --base CC", 0},
      {bank + "--level SI --algorithm dfs", 1},
      {bank + "--level SI --algorithm dpor", 1},
      {"tests/corpus/program/litmus/shoppingCart-4.txn --timeout 0.000001", 3}}},
    {"predict",
     R"({"result": "predicted|none|unknown", "level": "string",
         "strategy": "exact-strict|approx-strict|approx-relaxed|exact-relaxed",
         "changed_reads": [{"transaction": "string", "key": "string",
                            "observed": "string", "predicted": "string"}],
         "validation": "validated|diverged|refuted|not asked",
         "encode_seconds": "number", "solve_seconds": "number"})",
     {{"examples/bookings.trace --level CC", 1},
      {"examples/bookings.trace --strategy approx-strict", 1},
      {"examples/bookings.trace --strategy exact-relaxed --validate "
       "examples/apps/courseware/capacity.toml",
       1},
      {"--run examples/apps/shopping_cart/lost_addition.toml --strategy approx-relaxed "
       "--validate",
       1},
      {"--run tests/corpus/cli/reads_less.txn --seed 3 --strategy approx-relaxed "
       "--validate",
       1},
      {"examples/serial.hist --level SI", 0},
      {"tests/corpus/predict/large/wikipedia_1.txt.zst --timeout 0.000001", 3}}},
    {"verify",
     R"({"levels": {"*": {"invariants": {"*":
           {"verdict": "holds|violated|unknown", "seconds": "number"}}}}})",
     {{bank + "--level SER", 0},
      {bank + "--level SER,SI", 1},
      {bank + "--level SI --encoding paper", 1},
      {bank + "--level SI --encoding exact", 1},
      {bank + "--level SER --timeout 0.000001", 3}}},
    {"audit",
     R"({"levels": {"*": {"verdict": "serializable|no cycle up to k|anomalies|unknown",
           "proof": "string", "anomalies": [{"kind": "string", "transactions": ["string"],
           "confirmed": "boolean"}]}}})",
     {{withdraw + "--level PSI --max-cycle 2", 0},
      {withdraw + "--level PSI --prove", 0},
      {withdraw + "--level EC --level CC", 1},
      {withdraw + "--level PSI --timeout 0.000001", 3}}},
};

class Contracts : public testing::TestWithParam<Contract> {};

// Standard output has the document and nothing else.
TEST_P(Contracts, are_kept) {
  const Contract& contract = GetParam();
  Shape shape(Json::parse(contract.shape), Json::parse(definitions));
  for (const auto& [arguments, status] : contract.cases) {
    const std::string pipe = contract.input.empty() ? "" : contract.input + " | ";
    const std::string command = "isomer " + contract.command + " --json " + arguments;
    const Outcome outcome = run(pipe + command + " 2> /dev/null");
    EXPECT_EQ(outcome.status, status) << command;
    const Json document = Json::parse(outcome.output, nullptr, false);
    ASSERT_FALSE(document.is_discarded()) << command << "\n" << outcome.output;
    EXPECT_EQ(shape.mismatches(document), "") << command;
  }
  EXPECT_EQ(shape.unseen_words(), "");
}

INSTANTIATE_TEST_SUITE_P(Commands, Contracts, testing::ValuesIn(contracts),
                         [](const auto& test) { return test.param.command; });

// Bad input: status 2, a diagnostic, and with --json a document that has it.
TEST(Contract, bad_input_is_status_2_with_a_place) {
  const Scratch scratch;
  std::ofstream(scratch.path("bad.hist")) << "a: { r(x)=0 w(x)=1 }\nb: { r(x)=1 w(y) }\n";
  std::ofstream(scratch.path("bad.toml")) << "app = \n";
  for (const std::string command : {"check", "predict", "convert --to hist"}) {
    const Outcome outcome = run("isomer " + command + " $SCRATCH/bad.hist");
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.output, testing::ContainsRegex("bad.hist:2:[0-9]+: error: "));
  }
  for (const std::string command :
       {"show", "run", "explore", "predict --run", "verify", "audit", "advise"}) {
    const Outcome outcome = run("isomer " + command + " $SCRATCH/bad.toml");
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.output, testing::ContainsRegex("bad.toml:1:[0-9]+: error: "))
        << command;
    EXPECT_THAT(outcome.output, testing::HasSubstr("^")) << command;
  }
}

TEST(Contract, bad_input_is_told_in_json_too) {
  for (const std::string command :
       {"check no_such.hist", "levels no_such.level", "show no_such.sql",
        "run no_such.toml", "explore no_such.toml", "predict no_such.hist",
        "predict --run no_such.toml", "verify no_such.toml", "audit no_such.sql",
        "advise no_such.sql"}) {
    const Outcome outcome = run("isomer " + command + " --json 2> /dev/null");
    EXPECT_EQ(outcome.status, 2) << command;
    const Json document = Json::parse(outcome.output, nullptr, false);
    ASSERT_FALSE(document.is_discarded()) << command << "\n" << outcome.output;
    Shape shape(Json::parse(R"({"errors": [{"file": "string", "line": "count",
                               "column": "count", "message": "string"}]})"));
    EXPECT_EQ(shape.mismatches(document), "") << command;
    EXPECT_EQ(document["errors"].size(), 1U) << command;
    test::expect_json("isomer " + command + " --json 2> /dev/null",
                      command.substr(0, command.find(' ')));
  }
}

// In programs that are run or explored, transactions carry their call.
TEST(Contract, transactions_of_programs_carry_their_call) {
  const auto names = [](const Json& history) {
    std::vector<std::string> out;
    for (const Json& session : history["sessions"])
      for (const Json& transaction : session["transactions"])
        out.push_back(transaction["name"]);
    return out;
  };
  const auto calls = testing::UnorderedElementsAre("withdraw(1, 100)", "withdraw(2, 100)");
  const Json explored = Json::parse(run("isomer explore --json --level SI " + bank).output);
  EXPECT_THAT(names(explored["failure"]["history"]), calls);
  const Json verified = Json::parse(run("isomer verify --json --level SI " + bank).output);
  const Json& answer = verified["levels"]["SI"]["invariants"]["no overdraft"];
  EXPECT_THAT(names(answer["counterexample"]["history"]), calls);
}

// Levels are called as on the command line, however they are given.
TEST(Contract, levels_are_lists_or_repeated_or_files) {
  const Scratch scratch;
  std::ofstream(scratch.path("mine.level"))
      << "level MyLevel : biswas { axiom A: forall x: Key { overwritten[x, so] in co } }\n";
  const auto levels = [](const std::string& arguments) {
    std::string out;
    const Json document = Json::parse(
        run("cd $SCRATCH; isomer check --json " + arguments + " bank.hist").output, nullptr,
        false);
    if (document.is_discarded()) return out;
    for (const auto& [name, level] : document["histories"][0]["levels"].items())
      out += (out.empty() ? "" : " ") + name;
    return out;
  };
  std::filesystem::copy(ISOMER_SOURCE_DIR "/examples/bank.hist", scratch.path("bank.hist"));
  EXPECT_EQ(levels("--level SI --level PC"), "PC SI");
  EXPECT_EQ(levels("--level SI,PC"), "PC SI");
  EXPECT_EQ(levels("--level cerone:SI"), "cerone:SI");
  EXPECT_EQ(levels("--level mine.level"), "mine.level");
  EXPECT_EQ(levels("--level mine.level:MyLevel,RC"), "RC mine.level:MyLevel");
  for (const std::string command :
       {"run --level mine.level ", "explore --level mine.level:MyLevel ",
        "verify --level mine.level "})
    EXPECT_THAT(run("ln -sfn $PWD/examples $SCRATCH/examples; cd $SCRATCH; isomer " +
                    command + bank)
                    .status,
                testing::AnyOf(0, 1))
        << command;
}

// A picture on standard output is alone there.
TEST(Contract, a_dash_is_standard_output) {
  for (const std::string& command :
       {std::string("check examples/bank.hist"),
        std::string("synth --allow CC --forbid SI"), std::string("compare PC PSI"),
        std::string("predict examples/bookings.trace"), "explore --level SI " + bank,
        "verify --level SI " + bank}) {
    const auto output = [&](const std::string& option) {
      return run("isomer " + command + " " + option + " - 2> /dev/null").output;
    };
    EXPECT_THAT(output("--dot"), testing::StartsWith("digraph ")) << command;
    EXPECT_THAT(output("--svg"), testing::StartsWith("<svg ")) << command;
    EXPECT_THAT(output("--html"), testing::StartsWith("<!DOCTYPE html>")) << command;
  }
  EXPECT_THAT(run("isomer audit --level EC --dot - " + withdraw + " 2> /dev/null").output,
              testing::StartsWith("digraph "));
}

// `script` gives the command a terminal.
TEST(Contract, colour_is_for_terminals_and_never_with_no_color) {
  if (run("script -qec true /dev/null").status != 0) GTEST_SKIP() << "no terminals here";
  const std::string command = "script -qec 'isomer check examples/bank.hist' /dev/null";
  EXPECT_THAT(run(command).output, testing::HasSubstr("\x1b["));
  EXPECT_THAT(run("NO_COLOR=1 " + command).output,
              testing::Not(testing::HasSubstr("\x1b[")));
}

}  // namespace
}  // namespace isomer
