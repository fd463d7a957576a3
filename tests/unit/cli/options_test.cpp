// SPDX-License-Identifier: MIT
// Every option of every command, and that each does something: what is printed or written
// differs with it, or the status does.
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.h"
#include "support/effort.h"

namespace isomer {
namespace {

using test::Outcome;
using test::run;
using test::Scratch;

const std::string bank = "examples/apps/simple_bank/write_skew.toml";
const std::string workload = "examples/apps/smallbank/workload.toml";
const std::string any_two = "examples/apps/simple_bank/workload.toml";
const std::string cart = "--run examples/apps/shopping_cart/lost_addition.toml";
const std::string withdraw = "examples/audit/withdraw.sql";

struct Effect {
  std::string command;  // with what else it needs
  std::string option;   // with its value
  int status;           // with the option
};

// `$SCRATCH/out` is where files go; it is shown after what is printed.
const Effect effects[] = {
    {"check examples/bank.hist", "--level PC", 0},
    {"check examples/registers.txt", "--format hist", 2},
    {"check examples/bank.hist", "--json", 1},
    {"check examples/serial.hist", "--witness", 0},
    {"check examples/bank.hist", "--html $SCRATCH/out", 1},
    {"check examples/bank.hist", "--svg $SCRATCH/out", 1},
    {"check examples/bank.hist", "--dot $SCRATCH/out", 1},
    {"levels SI", "--json", 0},
    {"synth --allow CC --forbid SI", "--allow RC", 0},
    {"synth --allow CC --forbid SI", "--forbid RC", 1},
    {"synth --allow CC --forbid SI", "--scope 1,1,1", 1},
    {"synth --allow CC --forbid SI", "--any", 0},
    {"synth --allow CC --forbid SI", "--all-minimal 3", 0},
    {"synth --allow CC --forbid RA --scope 4,2,4", "--timeout 0.000001", 3},
    {"synth --allow PC --forbid SI", "--no-blind-writes --all-minimal 9", 0},
    {"synth --allow RC --forbid RA", "--so-partial-order", 0},
    {"synth --allow SER --forbid SI --scope 2,2,2", "--prove", 1},
    {"synth --allow CC --forbid SI --scope 2,1,3 --json", "--algorithm brute-force", 0},
    {"synth --allow CC --forbid SI", "--scope 5,3,6,1", 0},
    {"synth --allow CC --forbid SI", "--json", 0},
    {"synth --allow CC --forbid SI", "--html $SCRATCH/out", 0},
    {"synth --allow CC --forbid SI", "--svg $SCRATCH/out", 0},
    {"synth --allow CC --forbid SI", "--dot $SCRATCH/out", 0},
    {"synth --allow CC --forbid SI", "-o $SCRATCH/out", 0},
    {"synth --allow CC --forbid SI -o $SCRATCH/out", "--to json", 0},
    {"compare --scope 2,1,2", "--all", 0},
    {"compare PC SI", "--scope 1,1,1", 0},
    {"compare SER SI --scope 2,1,2", "--prove", 0},
    {"compare SER SI --scope 2,1,2", "--timeout 0.000001", 3},
    {"compare PC PSI", "--json", 0},
    {"compare PC PSI", "--html $SCRATCH/out", 0},
    {"compare PC PSI", "--svg $SCRATCH/out", 0},
    {"compare PC PSI", "--dot $SCRATCH/out", 0},
    {"show examples/withdraw.toml", "--json", 0},
    {"run --seed 5 " + bank, "--level SI", 1},
    {"run --level SI --seed 5 " + bank, "--policy latest", 0},
    {"run --level SI " + bank, "--seed 5", 1},
    {"run --level SI " + bank, "--runs 20", 1},
    {"run " + workload, "--workload small", 0},
    {"run " + bank, "--script tests/corpus/cli/write_skew.jsonl", 1},
    {"run -o $SCRATCH/out " + bank, "--granularity field", 0},
    {"run " + bank, "--output $SCRATCH/out", 0},
    {"run --output $SCRATCH/out " + bank, "--to plume", 0},
    {"run " + bank, "--timeout 0.000001", 3},
    {"run " + bank, "--json", 0},
    {"run --level sqlite:DEFERRED --seed 5 " + any_two + " --workload small",
     "--set journal=wal", 0},
    {"run --level pg:RC " + bank, "--schedule \"atm atm atm web web web web atm\"", 1},
    {"run --level pg:RC --schedule \"atm atm atm web web web web atm\" " + bank,
     "--html $SCRATCH/out", 1},
    {"run --level pg:RC --schedule \"atm atm atm web web web web atm\" " + bank,
     "--svg $SCRATCH/out", 1},
    {"run --level sqlite:DEFERRED --seed 5 " + bank, "--on sqlite:$SCRATCH/shop", 0},
    {"run --level sqlite:DEFERRED --seed 5 " + bank, "--local", 0},
    {"run --level sqlite:DEFERRED --seed 5 --on sqlite:$SCRATCH/shop " + bank, "--keep", 0},
    {"run --level pg:RC --seed 1 " + bank, "--psql $SCRATCH/out", 1},
    {"run --level pg:RC --seed 1 " + bank, "--isolation-spec $SCRATCH/out", 1},
    {"explore --level pg:RR " + bank, "--psql $SCRATCH/out", 1},
    {"explore --level pg:RR " + bank, "--isolation-spec $SCRATCH/out", 1},
    {"explore --level sqlite:DEFERRED " + bank, "--set journal=wal", 0},
    {"explore " + bank, "--level SER", 0},
    {"explore --level SER " + bank, "--base RC", 0},
    {"explore --level SER " + bank, "--algorithm dfs", 0},
    {"explore --level SI " + bank, "--find failing", 1},
    {"explore " + workload, "--workload small", 0},
    {"explore --workload small " + workload, "--seed 2", 0},
    {"explore --level SI " + bank, "--granularity table", 0},
    {"explore --level SI " + bank, "--jobs 0", 2},
    {"explore --level SI " + bank, "--histories $SCRATCH/out", 1},
    {"explore --level SER --base RC examples/apps/tpcc/deliveries.toml", "--no-prune", 0},
    {"explore --level SI --find failing examples/apps/courseware/capacity.toml",
     "--no-minimise", 1},
    {"explore tests/corpus/program/litmus/shoppingCart-4.txn", "--timeout 0.000001", 3},
    {"explore --level SI " + bank, "--json", 1},
    {"explore --level SI " + bank, "--html $SCRATCH/out", 1},
    {"explore --level SI " + bank, "--svg $SCRATCH/out", 1},
    {"explore --level SI " + bank, "--dot $SCRATCH/out", 1},
    {"explore --level SI " + bank, "-o $SCRATCH/out", 1},
    {"explore --level SI -o $SCRATCH/out " + bank, "--to json", 1},
    {"predict examples/bookings.trace", "--level RC", 1},
    {"predict examples/bookings.trace", "--strategy approx-relaxed", 1},
    {"predict examples/bookings.trace", "--boundary none", 1},
    {"predict examples/bookings.trace", "--all 3", 1},
    {"predict", cart, 0},
    {"predict --strategy approx-relaxed " + cart, "--validate", 1},
    {"predict --run " + workload, "--workload small", 0},
    {"predict --workload small --run " + workload, "--seed 3", 0},
    {"predict --strategy approx-relaxed " + cart, "--granularity table", 1},
    {"predict examples/write_skew.hist", "--force", 1},
    {"predict examples/bookings.trace", "--format hist", 2},
    {"predict tests/corpus/predict/large/wikipedia_1.txt.zst", "--timeout 0.000001", 3},
    {"predict examples/bookings.trace", "--json", 1},
    {"predict examples/bookings.trace", "--html $SCRATCH/out", 1},
    {"predict examples/bookings.trace", "--svg $SCRATCH/out", 1},
    {"predict examples/bookings.trace", "--dot $SCRATCH/out", 1},
    {"predict examples/bookings.trace", "--output $SCRATCH/out", 1},
    {"predict examples/bookings.trace -o $SCRATCH/out", "--to json", 1},
    {"verify " + bank, "--level SER", 0},
    {"verify --level CC,SI " + bank, "--encoding paper", 1},
    {"verify --level SER --instances 2 " + any_two, "--rows 1", 0},
    {"verify --level SER " + bank, "--overflow", 0},
    {"verify --level SER " + bank, "--no-lost-updates", 0},
    {"verify --level SER examples/apps/smallbank/write_skew.toml", "--constraints", 0},
    {"verify --level SER " + any_two, "--instances 1", 0},
    {"verify --level SER " + bank, "--unroll 0", 2},
    {"verify --level SER " + bank, "--timeout 0.000001", 3},
    {"verify --level SER " + bank, "--json", 0},
    {"verify --level SI " + bank, "--html $SCRATCH/out", 1},
    {"verify --level SI " + bank, "--svg $SCRATCH/out", 1},
    {"verify --level SI " + bank, "--dot $SCRATCH/out", 1},
    {"verify --level SI " + bank, "-o $SCRATCH/out", 1},
    {"verify --level SI -o $SCRATCH/out " + bank, "--to json", 1},
    {"verify --level SI " + bank, "--scenario-out $SCRATCH/out", 1},
    {"convert examples/bank.hist", "--to plume", 0},
    {"convert --to hist examples/bank.hist", "--format jsonl", 2},
    {"convert --to hist examples/bank.hist", "-o $SCRATCH/out", 0},
    {"generate", "--mode serial", 0},
    {"generate", "--sessions 2", 0},
    {"generate", "--transactions 5", 0},
    {"generate", "--operations 3", 0},
    {"generate", "--keys 7", 0},
    {"generate", "--reads 0.1", 0},
    {"generate", "--skew zipf", 0},
    {"generate", "--aborts 0.5", 0},
    {"generate", "--unknowns 0.5", 0},
    {"generate", "--values 2", 0},
    {"generate", "--inject long-fork", 0},
    {"generate", "--seed 9", 0},
    {"generate", "--to json", 0},
    {"generate", "--output $SCRATCH/out", 0},
};

// What differs by itself from run to run is left out.
std::string shown(const std::string& command) {
  static const std::regex measured("[0-9.]+ s\\b|[0-9]+ MiB|\"[a-z_]*seconds\": [0-9.e-]+");
  const Outcome outcome =
      run("rm -f $SCRATCH/out; isomer " + command +
          "; status=$?; [ -e $SCRATCH/out ] && echo written: && cat $SCRATCH/out; exit "
          "$status");
  return std::to_string(outcome.status) + "\n" +
         std::regex_replace(outcome.output, measured, "");
}

TEST(Options, each_has_an_effect) {
  if (is_slow_build) GTEST_SKIP() << "starts hundreds of commands";
  const Scratch scratch;
  for (const auto& [command, option, status] : effects) {
    const std::string with = shown(command + " " + option);
    EXPECT_EQ(with.substr(0, with.find('\n')), std::to_string(status))
        << command << " " << option << "\n"
        << with.substr(0, 1000);
    EXPECT_TRUE(with != shown(command)) << command << " " << option;
  }
}

// Commands and options that are tried elsewhere: what they print is meant to be the same
// (--certify), takes long (--baseline), needs a server (tests/reproduce), or has tests of
// its own (audit_test.cpp).
const std::set<std::string> tried_elsewhere = {
    "check --certify", "synth --baseline", "explore --on",   "explore --local",
    "explore --keep",  "verify --on",      "verify --local", "verify --keep"};

// Of every command; limits_test.cpp and inside_test.cpp try them.
const std::set<std::string> common = {"--timeout", "--memory", "--stats", "--dump",
                                      "--log"};

TEST(Options, of_the_help_are_all_tried) {
  static const std::regex listed("\n  (-[a-z], )?(--[a-z-]+)");
  std::set<std::string> tried = tried_elsewhere;
  for (const Effect& effect : effects) {
    const std::string command = effect.command.substr(0, effect.command.find(' '));
    std::string option = effect.option.substr(0, effect.option.find(' '));
    tried.insert(command + " " + (option == "-o" ? "--output" : option));
  }
  for (const std::string command :
       {"check", "levels", "synth", "compare", "show", "run", "explore", "predict",
        "verify", "convert", "generate"}) {
    const std::string help = run("isomer " + command + " --help").output;
    for (std::sregex_iterator match(help.begin(), help.end(), listed), end; match != end;
         ++match)
      EXPECT_TRUE(common.contains((*match)[2]) ||
                  tried.contains(command + " " + (*match)[2].str()))
          << command << " " << (*match)[2];
  }
}

}  // namespace
}  // namespace isomer
