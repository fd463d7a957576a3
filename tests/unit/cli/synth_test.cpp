// SPDX-License-Identifier: MIT
// isomer synth and isomer compare as a person or a program runs them.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/documents.h"

namespace isomer {
namespace {

using test::Outcome;
using test::run;
using test::Scratch;
using testing::HasSubstr;

// What synth finds, check must see the same way.
TEST(Synth, saves_a_history_that_check_agrees_on) {
  struct Pair {
    const char* allow;
    const char* forbid;
  };

  const Pair pairs[] = {{"RC", "RA"}, {"RA", "CC"},  {"CC", "PC"},  {"CC", "PSI"},
                        {"PC", "SI"}, {"SI", "SER"}, {"PSI", "SI"}, {"PC", "PSI"}};
  for (const auto& [allow, forbid] : pairs)
    for (const std::string ending : {"hist", "json", "jsonl"}) {
      const Scratch scratch;
      const std::string levels = std::string(" --allow ") + allow + " --forbid " + forbid;
      const Outcome found = run("isomer synth" + levels + " -o $SCRATCH/f." + ending);
      EXPECT_EQ(found.status, 0) << found.output;
      EXPECT_EQ(run(std::string("isomer check $SCRATCH/f.") + ending + " --level " + allow)
                    .status,
                0)
          << found.output;
      EXPECT_EQ(run(std::string("isomer check $SCRATCH/f.") + ending + " --level " + forbid)
                    .status,
                1)
          << found.output;
    }
}

TEST(Synth, status_tells_found_none_and_undecided) {
  EXPECT_EQ(run("isomer synth --allow SI --forbid SER").status, 0);
  EXPECT_EQ(run("isomer synth --allow SER --forbid SI --scope 2,2,2").status, 1);
  const Outcome undecided = run("isomer synth --allow SER --forbid SI --timeout 0.000001");
  EXPECT_EQ(undecided.status, 3) << undecided.output;
  EXPECT_THAT(undecided.output, HasSubstr("undecided"));
}

TEST(Synth, reads_levels_from_files_and_wants_one_of_several) {
  const Scratch scratch;
  std::ofstream(scratch.path("two.level"))
      << "level Mine : biswas { axiom A: forall x: Key { overwritten[x, so] in co } }\n"
         "level Other : biswas { }\n";
  const Outcome one =
      run("isomer synth --allow $SCRATCH/two.level:Other --forbid $SCRATCH/two.level:Mine");
  EXPECT_EQ(one.status, 0) << one.output;
  EXPECT_THAT(one.output, HasSubstr("axiom"));
  const Outcome two = run("isomer synth --allow RC --forbid $SCRATCH/two.level");
  EXPECT_EQ(two.status, 2);
  EXPECT_THAT(two.output, HasSubstr("defines 2 levels, name one of them: "));
  EXPECT_THAT(two.output, HasSubstr("two.level:Other"));
}

TEST(Synth, bad_usage_is_status_2_with_a_reason) {
  struct Bad {
    const char* command;
    const char* message;
  };

  const Bad cases[] = {
      {"isomer synth", "name a level"},
      {"isomer synth --allow SI", "name a level"},
      {"isomer synth --allow SJ", "SI"},
      {"isomer synth --allow SI --scope 3,2", "expected T,K,V"},
      {"isomer synth --allow SI --scope 3,2,0", "expected T,K,V"},
      {"isomer synth --allow SI --scope 3,2,3x", "expected T,K,V"},
      {"isomer synth --allow SI --scope 99,2,3", "from 1 to"},
      {"isomer synth --allow SI --scope 3,2,3,0", "expected T,K,V"},
      {"isomer synth --allow SI --scope 3,2,3,4,", "expected T,K,V"},
      {"isomer synth --allow SI --scope 3,2,3,4,5,6", "expected T,K,V"},
      {"isomer synth --allow SI --scope 3,2,3,4,9999999999999999999", "expected T,K,V"},
      {"isomer synth --allow SI --forbid SER --algorithm guess", "brute-force"},
      {"isomer synth --allow SI --forbid SER --algorithm no-learning --baseline naive",
       "a variant of --algorithm cegis"},
      {"isomer synth --allow SI --all-minimal 0", "from 1 to"},
      {"isomer synth --allow SI --any --all-minimal 2", "exclude each other"},
      {"isomer synth --allow SI --baseline fast", "choose from"},
      {"isomer synth --allow SI --json --html -", "both want standard output"},
      {"isomer synth --allow CC --forbid SI --html /no/such/folder/x", "cannot write"},
      {"isomer compare SI", "expected two levels"},
      {"isomer compare SI SER PC", "found 3"},
      {"isomer compare SI --all", "--all takes no levels"},
      {"isomer compare SI no.level", "no.level"},
  };
  for (const auto& [command, message] : cases) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_THAT(outcome.output, HasSubstr(message)) << command;
  }
}

TEST(Synth, json_follows_its_schema) {
  for (const std::string options :
       {"--allow CC --forbid SI", "--allow PC,cerone:PC --forbid PSI --all-minimal 3",
        "--allow SER --forbid SI --scope 2,2,2",
        "--allow RC --forbid RA --so-partial-order",
        "--allow SER --forbid SI --scope 2,1,2 --prove",
        "--allow SER --forbid SI --timeout 0.000001"})
    test::expect_json("isomer synth --json " + options, "synth");
}

TEST(Compare, json_follows_its_schema) {
  for (const std::string options :
       {"SI SER", "PC PSI", "SI cerone:SI --scope 2,2,3", "SER SI --scope 2,2,3 --prove",
        "SI PC --timeout 0.000001", "--all --scope 2,2,3"})
    test::expect_json("isomer compare --json " + options, "compare");
}

TEST(Compare, status_is_0_when_decided_and_3_when_not) {
  EXPECT_EQ(run("isomer compare PC PSI").status, 0);
  EXPECT_EQ(run("isomer compare SI SER --scope 2,2,2").status, 0);
  EXPECT_EQ(run("isomer compare SER SI --timeout 0.000001").status, 3);
}

TEST(Compare, pages_and_pictures_are_written) {
  for (const std::string command :
       {"isomer synth --allow CC --forbid SI", "isomer compare PC PSI",
        "isomer compare --all --scope 2,2,3"})
    EXPECT_EQ(test::drawn_by(command).outcome.status, 0) << command;
}

}  // namespace
}  // namespace isomer
