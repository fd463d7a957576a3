// SPDX-License-Identifier: MIT
// Exit statuses, help and streams of the command line.
#include <regex>

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

const char* const all_commands[] = {"check",      "record", "stress", "levels",  "synth",
                                    "compare",    "show",   "run",    "explore", "predict",
                                    "verify",     "audit",  "advise", "convert", "generate",
                                    "completion", "man"};

std::vector<std::string> options_of(const std::string& command) {
  static const std::regex listed("\n  (-[a-z], )?(--[a-z-]+)");
  const std::string help = run("isomer " + command + " --help").output;
  std::vector<std::string> out;
  for (std::sregex_iterator match(help.begin(), help.end(), listed), end; match != end;
       ++match)
    out.push_back((*match)[2]);
  return out;
}

// Each under the heading of what a person wants.
TEST(Usage, help_lists_every_command_and_no_other) {
  static const std::regex entry("\n  ([a-z]+) +[A-Z]");
  static const std::regex heading("\n\n[A-Z][a-z ]+\n  [a-z]");
  const Outcome outcome = run("isomer --help");
  EXPECT_EQ(outcome.status, 0);
  const std::string& text = outcome.output;
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), entry), end; match != end;
       ++match)
    found.push_back((*match)[1]);
  EXPECT_THAT(found, testing::ElementsAreArray(all_commands));
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), heading), {}), 6);
}

TEST(Usage, help_of_each_command_ends_with_examples) {
  for (const std::string command : all_commands) {
    const Outcome outcome = run("isomer " + command + " --help");
    EXPECT_EQ(outcome.status, 0) << command;
    const std::size_t examples = outcome.output.find("\nExamples\n");
    ASSERT_NE(examples, std::string::npos) << command;
    std::size_t count = 0;
    for (std::size_t at = examples;
         (at = outcome.output.find("\n  ", at)) != std::string::npos; ++at)
      count += outcome.output.compare(at, 4, "\n   ") == 0 ? 0 : 1;
    EXPECT_TRUE(count == 2 || count == 3) << command;
    EXPECT_EQ(run("isomer help " + command).output, outcome.output);
  }
}

// Every example of the help works as it stands.
TEST(Usage, examples_of_help_work) {
  if (is_slow_build) GTEST_SKIP() << "takes minutes";
  static const std::regex example("\n  ([^ \n][^\n]*)");
  const Scratch scratch;
  for (const std::string command : all_commands) {
    const std::string help = run("isomer " + command + " --help").output;
    const std::string tail = help.substr(help.find("\nExamples\n"));
    for (std::sregex_iterator match(tail.begin(), tail.end(), example), end; match != end;
         ++match) {
      // The examples name their files from the root of the sources; what they write must
      // not land there.
      std::ofstream(scratch.path("example.sh")) << (*match)[1] << "\n";
      const Outcome outcome =
          run("ln -sfn \"$PWD/examples\" \"$SCRATCH/examples\"; cd \"$SCRATCH\"; mkdir -p "
              ".zfunc; HOME=$SCRATCH bash example.sh");
      EXPECT_THAT(outcome.status, testing::AnyOf(0, 1)) << (*match)[1] << outcome.output;
    }
  }
}

TEST(Usage, lines_of_help_fit_a_terminal) {
  for (const std::string command : all_commands) {
    std::istringstream lines(run("isomer " + command + " --help").output);
    std::string line;
    while (std::getline(lines, line))
      EXPECT_LE(line.size(), 80U) << line;
  }
}

TEST(Usage, version_is_that_of_the_build) {
  const Outcome outcome = run("isomer --version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(
      std::regex_match(outcome.output, std::regex("isomer [0-9]+\\.[0-9]+\\.[0-9]+\n")));
}

TEST(Usage, nothing_at_all_prints_help_and_fails) {
  const Outcome outcome = run("isomer > /dev/null");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("Usage: isomer COMMAND"));
}

struct Bad {
  const char* command;
  const char* message;
};

// All of these are the person's mistakes: status 2 and a message that names the mistake.
TEST(Usage, bad_usage_is_status_2_with_a_reason) {
  const Bad cases[] = {
      {"isomer chek x", "did you mean check?"},
      {"isomer nonsense-command", "unknown command 'nonsense-command'"},
      {"isomer check", "no FILE given"},
      {"isomer check --levle SI examples/bank.hist", "did you mean --level?"},
      {"isomer check --level", "--level"},
      {"isomer check --level SJ examples/bank.hist", "did you mean SI?"},
      {"isomer check --level SI, examples/bank.hist", "unknown level ''"},
      {"isomer check --level no_such.level examples/bank.hist", "no_such.level"},
      {"isomer check --level no_such.level:X examples/bank.hist", "no_such.level"},
      {"isomer check mine.level", "not a history"},
      {"isomer check --format plum examples/bank.hist", "did you mean plume?"},
      {"isomer check --timeout 0 examples/bank.hist", "seconds above 0"},
      {"isomer check --timeout nan examples/bank.hist", "seconds above 0"},
      {"isomer check --timeout -1 examples/bank.hist", "seconds above 0"},
      {"isomer check --json --dot - examples/bank.hist", "both want standard output"},
      {"isomer check - - < /dev/null", "only once"},
      {"isomer check examples/no_such_file.hist", "examples/no_such_file.hist"},
      {"isomer check examples/bank.hist --html /no/such/folder/x.html", "cannot write"},
      {"isomer convert examples/bank.hist", "--to F is required"},
      {"isomer convert --to nothing examples/bank.hist", "choose from"},
      {"isomer convert --to hist", "no FILE given"},
      {"isomer convert --to hist examples/bank.hist examples/serial.hist", "unexpected"},
      {"isomer generate --sessions 0", "from 1 to"},
      {"isomer generate --keys -3", "from 1 to"},
      {"isomer generate --operations 1x", "found '1x'"},
      {"isomer generate --reads 1.5", "from 0 to 1"},
      {"isomer generate --transactions 99999999999999999999", "whole number"},
      {"isomer generate --transactions 4000000000 --operations 4000000000",
       "are more than"},
      {"isomer generate --aborts 0.7 --unknowns 0.7", "exceed 1"},
      {"isomer generate --mode sir", "did you mean"},
      {"isomer generate --mode si --inject lost-update", "--mode broken"},
      {"isomer generate --inject lost-updaet", "did you mean lost-update?"},
      {"isomer generate extra", "unexpected argument 'extra'"},
      {"isomer levels PSSI", "did you mean PSI?"},
      {"isomer levels examples/isolde.level:NLV", "did you mean 'NLU'?"},
      {"isomer levels no_such_file.level", "there is no such file"},
      {"isomer levels examples", "unknown level 'examples'"},
      {"isomer completion fish", "bash, zsh"},
      {"isomer explore", "no APP given"},
      {"isomer explore examples/withdraw.toml --level SI,SER", "one level at a time"},
      {"isomer explore examples/withdraw.toml --level SJ", "did you mean SI?"},
      {"isomer explore examples/withdraw.toml --base PC", "not known to imply PC"},
      {"isomer explore examples/withdraw.toml --level true --base CC", "would be missed"},
      {"isomer explore examples/withdraw.toml --jobs 0", "from 1 to"},
      {"isomer explore examples/withdraw.toml --find some", "all, failing"},
      {"isomer explore examples/withdraw.toml --granularity column", "row, table, field"},
      {"isomer explore examples/withdraw.toml --timeout -1", "seconds above 0"},
      {"isomer explore examples/withdraw.toml --to json", "--output, which is missing"},
      {"isomer explore examples/withdraw.toml --json --histories -",
       "both want standard output"},
      {"isomer explore examples/withdraw.toml --histories /no/such/folder/x",
       "cannot write to /no/such/folder/x"},
      {"isomer explore examples/withdraw.toml --histories /dev/full", "cannot write"},
      {"isomer explore examples/no_such_file.toml", "examples/no_such_file.toml"},
      {"isomer explore examples/withdraw.sql", "no sessions to explore"},
      {"isomer explore examples/bank.hist", "examples/bank.hist"},
  };
  for (const Bad& bad : cases) {
    const Outcome outcome = run(std::string(bad.command) + " 3>&1 > /dev/null");
    EXPECT_EQ(outcome.status, 2) << bad.command << "\n" << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(bad.message)) << bad.command;
    EXPECT_THAT(outcome.output, Not(HasSubstr("internal error"))) << bad.command;
  }
}

TEST(Check, status_is_the_worst_over_all_files) {
  EXPECT_EQ(run("isomer check examples/serial.hist").status, 0);
  EXPECT_EQ(run("isomer check examples/serial.hist examples/bank.hist").status, 1);
  EXPECT_EQ(run("isomer check examples/bank.hist examples/missing.hist").status, 2);
  EXPECT_EQ(run("isomer check --level RC,PC examples/bank.hist").status, 0);
  EXPECT_EQ(run("isomer check --level rc --level si examples/bank.hist").status, 1);
}

TEST(Check, a_directory_that_is_no_history_is_bad_input) {
  EXPECT_EQ(run("isomer check examples").status, 2);
}

TEST(Check, reads_standard_input) {
  const Outcome outcome = run("isomer check - < examples/bank.hist");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.output, HasSubstr("lost update"));
}

TEST(Check, answers_the_same_twice) {
  const std::string command = "isomer check examples/*.hist examples/append.edn --witness";
  EXPECT_EQ(run(command).output, run(command).output);
}

TEST(Check, says_when_its_output_cannot_be_written) {
  for (const std::string command : {"check examples/bank.hist", "man", "--help"}) {
    const Outcome outcome = run("isomer " + command + " > /dev/full");
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.output, HasSubstr("cannot write to standard output")) << command;
  }
}

TEST(Check, prints_no_colour_into_a_pipe) {
  EXPECT_THAT(run("isomer check examples/bank.hist").output, Not(HasSubstr("\x1b")));
}

TEST(Check, puts_only_the_document_on_standard_output) {
  const Outcome outcome =
      run("isomer check --json examples/bank.hist | python3 -m json.tool");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(run("isomer check --dot - examples/bank.hist").output,
              testing::StartsWith("digraph isomer {"));
  EXPECT_THAT(run("isomer check --html - examples/bank.hist").output,
              testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(run("isomer check --svg - examples/bank.hist").output, HasSubstr("<svg "));
}

TEST(Check, writes_pictures_beside_the_text) {
  const test::Drawn drawn = test::drawn_by("isomer check examples/write_skew.hist");
  EXPECT_EQ(drawn.outcome.status, 1);
  EXPECT_THAT(drawn.outcome.output, HasSubstr("write skew"));
}

TEST(Check, page_is_self_contained) {
  test::expect_self_contained(run("isomer check --html - examples/*.hist").output);
}

TEST(Check, page_shows_the_lines_of_the_program) {
  const std::string page =
      run("isomer check --level SER --html - tests/corpus/cli/write_skew.jsonl").output;
  EXPECT_THAT(page, HasSubstr("simple_bank.sql:23"));
}

TEST(Check, json_follows_its_schema) {
  for (const std::string command :
       {"isomer check --json examples/*.hist examples/append.edn examples/registers.txt",
        "isomer check --json --witness examples/serial.hist examples/long_fork.hist",
        "isomer check --json examples/bank.hist examples/missing.hist 2> /dev/null",
        "isomer check --json tests/corpus/cli/write_skew.jsonl",
        "isomer generate --values 2 --transactions 30 --sessions 3 --unknowns 0.2 | "
        "isomer check --json --witness -"})
    test::expect_json(command, "check");
}

TEST(Levels, json_follows_its_schema) {
  for (const std::string command :
       {"isomer levels --json", "isomer levels --json cerone:SI",
        "isomer levels --json examples/isolde.level",
        "isomer levels --json no_such_file.level 2> /dev/null"})
    test::expect_json(command, "levels");
}

TEST(Show, json_follows_its_schema) {
  for (const std::string command :
       {"isomer show --json examples/withdraw.toml",
        "isomer show --json examples/apps/tpcc/tpcc.sql",
        "isomer show --json tests/corpus/program/litmus/courseware-1.txn",
        "isomer show --json tests/corpus/error/sql/many_errors.sql 2> /dev/null"})
    test::expect_json(command, "show");
}

TEST(Run, json_follows_its_schema) {
  for (const std::string command :
       {"isomer run --json examples/apps/simple_bank/write_skew.toml",
        "isomer run --json --level SI --runs 20 examples/apps/simple_bank/write_skew.toml",
        "isomer run --json --level SER --seed 5 examples/apps/simple_bank/write_skew.toml",
        "isomer run --json --level CC --workload small examples/apps/tpcc/workload.toml",
        "isomer run --json --level RC tests/corpus/program/litmus/courseware-1.txn",
        "isomer run --json --script tests/corpus/cli/write_skew.jsonl "
        "examples/apps/simple_bank/simple_bank.toml 2> /dev/null",
        "isomer run --json --script tests/corpus/cli/write_skew.jsonl --level SER "
        "examples/apps/simple_bank/write_skew.toml",
        "isomer run --json --timeout 0.000001 --runs 1000 --level CC --workload small "
        "examples/apps/smallbank/workload.toml",
        "isomer run --json --timeout 0.000001 examples/withdraw.toml 2> /dev/null",
        "isomer run --json examples/missing.toml 2> /dev/null"})
    test::expect_json(command, "run");
}

TEST(Run, interrupted_says_what_is_known_so_far) {
  const Outcome outcome =
      run("isomer run --level SI --runs 10000000 examples/apps/simple_bank/write_skew.toml "
          "& sleep 1; kill -INT $!; wait $!");
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.output, HasSubstr("BROKEN in "));
  EXPECT_THAT(outcome.output, HasSubstr("interrupted after "));
}

// The fields that programs may rely on.
TEST(Run, json_counts_what_it_found) {
  const auto json = nlohmann::json::parse(run("isomer run --json --level SI --runs 20 "
                                              "examples/apps/simple_bank/write_skew.toml")
                                              .output);
  EXPECT_EQ(json.at("runs"), 20);
  const auto& invariant = json.at("invariants").at("no overdraft");
  EXPECT_EQ(invariant.at("held").get<int>() + invariant.at("broken").get<int>(), 20);
  EXPECT_EQ(json.at("unserializable"), invariant.at("broken"));
  const std::string seed = std::to_string(json.at("first_failing_seed").get<int>());
  const auto again =
      nlohmann::json::parse(run("isomer run --json --level SI --seed " + seed +
                                " examples/apps/simple_bank/write_skew.toml")
                                .output);
  EXPECT_EQ(again.at("runs"), 1);
  EXPECT_EQ(again.at("unserializable"), 1);
  EXPECT_EQ(again.at("invariants").at("no overdraft").at("broken"), 1);
  EXPECT_EQ(std::to_string(again.at("first_failing_seed").get<int>()), seed);
}

TEST(Schema, refuses_what_does_not_follow_it) {
  for (const std::string document :
       {R"({})", R"({"histories": [{"file": "x"}]})", R"({"histories": 3})",
        R"({"histories": [{"file": "x", "sessions": 1, "transactions": 1, "operations": 1,
            "levels": {"SI": {"verdict": "perhaps", "seconds": 0}}}]})"})
    EXPECT_EQ(run("echo '" + document +
                  "' | python3 tests/support/validate_schema.py "
                  "docs/schema/check.schema.json - > /dev/null")
                  .status,
              1)
        << document;
}

const char* const make_large_history =
    "isomer generate --mode si --transactions 5000 --sessions 50 --keys 200 -o "
    "$SCRATCH/large.txt && ";

TEST(Check, a_limit_leaves_what_is_known) {
  const Scratch scratch;
  const Outcome outcome = run(std::string(make_large_history) +
                              "isomer check --level RC,adya:PL-3 $SCRATCH/large.txt");
  EXPECT_EQ(outcome.status, 3) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("5000 transactions"));
  EXPECT_THAT(outcome.output, HasSubstr("undecided: adya:PL-3 (memory)"));
}

// The signal may come while the file is read (3), while it is checked (3, or 1 if a
// violation was found before), or too late (0, 1).
TEST(Check, an_interrupt_ends_it_cleanly) {
  const Scratch scratch;
  const Outcome outcome =
      run(std::string(make_large_history) +
          "timeout --preserve-status -s INT 0.4 isomer check $SCRATCH/large.txt");
  EXPECT_THAT(outcome.status, testing::AnyOf(0, 1, 3)) << outcome.output;
  EXPECT_EQ(outcome.status == 3, outcome.output.find("interrupted") != std::string::npos &&
                                     outcome.output.find("NO") == std::string::npos);
}

TEST(Convert, there_and_back_is_the_same_history) {
  const Scratch scratch;
  EXPECT_EQ(run("isomer convert --to plume examples/registers.txt").output,
            test::contents(ISOMER_SOURCE_DIR "/examples/registers.txt"));
  EXPECT_EQ(run("isomer convert --to hist examples/bank.hist -o $SCRATCH/a.hist").status,
            0);
  EXPECT_EQ(run("isomer convert --to hist $SCRATCH/a.hist -o $SCRATCH/b.hist").status, 0);
  EXPECT_EQ(test::contents(scratch.path("a.hist")), test::contents(scratch.path("b.hist")));
  EXPECT_THAT(run("isomer check $SCRATCH/b.hist").output, HasSubstr("lost update"));
}

TEST(Generate, same_seed_same_bytes) {
  const std::string command = "isomer generate --transactions 50 --seed ";
  EXPECT_EQ(run(command + "7").output, run(command + "7").output);
  EXPECT_NE(run(command + "7").output, run(command + "8").output);
}

TEST(Generate, is_what_its_mode_says) {
  for (const std::string mode :
       {"serial --level SER", "si --level SI", "cc --level CC", "rc --level RC"}) {
    const std::string name = mode.substr(0, mode.find(' '));
    const std::string level = mode.substr(mode.find(' '));
    const std::string pipe =
        "isomer generate --transactions 200 --sessions 5 --keys 20 --mode " + name +
        " | isomer check" + level + " -";
    EXPECT_EQ(run(pipe).status, 0) << pipe;
  }
  EXPECT_EQ(run("isomer generate --inject lost-update --transactions 100 | "
                "isomer check --level SI -")
                .status,
            1);
}

TEST(Man, has_every_command_and_option) {
  const std::string page = run("isomer man").output;
  EXPECT_THAT(page, HasSubstr(".SH EXIT STATUS"));
  for (const std::string command : all_commands) {
    EXPECT_THAT(page, HasSubstr("\n.SS isomer " + command));
    for (std::string option : options_of(command)) {
      for (std::size_t at = 0; (at = option.find('-', at)) != std::string::npos; at += 2)
        option.insert(at, "\\");
      EXPECT_THAT(page, HasSubstr(option)) << command;
    }
  }
}

TEST(Man, is_a_page_without_complaints) {
  if (run("command -v man").status != 0) GTEST_SKIP() << "man is not installed";
  EXPECT_EQ(run("isomer man | man --warnings -l - > /dev/null").output, "");
}

// What a person gets who types this and then TAB, as bash itself completes it.
TEST(Completion, of_bash_knows_every_command_and_option) {
  EXPECT_EQ(run("bash -c 'source <(isomer completion bash); complete -p isomer'").output,
            "complete -F _isomer isomer\n");
  for (const std::string command : all_commands) {
    const std::string offered =
        run("bash -c 'source <(isomer completion bash); COMP_WORDS=(isomer " + command +
            " --); COMP_CWORD=2; _isomer; echo \" ${COMPREPLY[@]} \"'")
            .output;
    for (const std::string& option : options_of(command))
      EXPECT_THAT(offered, HasSubstr(" " + option + " ")) << command;
  }
}

TEST(Completion, of_zsh_knows_every_command_and_option) {
  const std::string script = run("isomer completion zsh").output;
  EXPECT_THAT(script, testing::StartsWith("#compdef isomer\n"));
  for (const std::string command : all_commands) {
    const std::size_t start = script.find("\n    " + command + ")\n");
    ASSERT_NE(start, std::string::npos) << command;
    const std::string part = script.substr(start, script.find(";;", start) - start);
    for (const std::string& option : options_of(command))
      EXPECT_THAT(part, HasSubstr(option + "[")) << command;
  }
  if (run("command -v zsh").status != 0) GTEST_SKIP() << "zsh is not installed";
  EXPECT_EQ(run("zsh -f -c 'autoload -U compinit; compinit -D -u; "
                "source <(isomer completion zsh); echo $_comps[isomer]'")
                .output,
            "_isomer\n");
}

TEST(Completion, of_bash_offers_commands_and_levels) {
  const std::string ask =
      "bash -c 'source <(isomer completion bash); COMP_WORDS=(isomer check --level S); "
      "COMP_CWORD=3; _isomer; echo \"${COMPREPLY[@]}\"; COMP_WORDS=(isomer ch); "
      "COMP_CWORD=1; "
      "_isomer; echo \"${COMPREPLY[@]}\"'";
  EXPECT_EQ(run(ask).output, "SI SER SS-PL-2 SS-PL-SI SS-PL-3\ncheck\n");
}

}  // namespace
}  // namespace isomer
