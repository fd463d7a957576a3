// SPDX-License-Identifier: MIT
// .ci/run and make, with tools in place of the real ones that do nothing but say how it
// went: what fails must not go unseen.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command.h"

namespace isomer {
namespace {

using test::Outcome;
using testing::HasSubstr;
using testing::Not;

class Ci : public testing::Test {
 protected:
  Ci() {
    tool("cmake", "exit 0");
    tool("clang-format-19", "exit 0");
    tool("clang-tidy-19", "exit 0");
    tool("sed", "echo src/cli/main.cpp");  // of what the asan build compiles
    tool("dpkg-query", "echo install ok installed");
    tool("ctest",
         "[ \"$2\" != \"$FAILING\" ] && echo \"$2: 100% tests passed\" && exit 0\n"
         "echo \"$2: The following tests FAILED:\"; exit 8");
  }

  void tool(const std::string& name, const std::string& script) const {
    const std::string path = scratch_.path(name);
    std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  static Outcome run(const std::string& environment, const std::string& command) {
    return test::run("unset MAKEFLAGS MAKELEVEL; export PATH=\"$SCRATCH:$PATH\" " +
                     environment + "; " + command);
  }

 private:
  test::Scratch scratch_;
};

TEST_F(Ci, passes_if_clang_tidy_and_all_tests_of_both_builds_do) {
  const Outcome outcome = run("FAILING=none", ".ci/run");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("asan: 100% tests passed\n"
                                        "tidy: nothing found in 1 compiled files\n"
                                        "release: 100%"));
}

TEST_F(Ci, fails_if_a_test_does_and_says_so) {
  for (const std::string build : {"asan", "release"}) {
    const Outcome outcome = run("FAILING=" + build, ".ci/run");
    EXPECT_NE(outcome.status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(build + ": The following tests FAILED:"));
  }
}

TEST_F(Ci, stops_before_the_tests_if_a_file_is_not_formatted) {
  tool("clang-format-19", "exit 1");
  const Outcome outcome = run("FAILING=none", ".ci/run");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.output, Not(HasSubstr("tests passed")));
}

TEST_F(Ci, stops_if_clang_tidy_finds_something) {
  tool("clang-tidy-19", "echo 'main.cpp:1: unused'; echo 1 error >&2; exit 1");
  const Outcome outcome = run("FAILING=none", ".ci/run");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("main.cpp:1: unused\n1 error\n"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("release: 100%")));
}

// Who may not install anything is told what to ask for.
TEST_F(Ci, names_the_packages_that_are_missing_and_cannot_be_installed) {
  tool("dpkg-query", "[ \"$3\" != postgresql-15 ] && echo install ok installed");
  tool("id", "echo 1000");
  tool("sudo", "echo asked for \"$@\"; exit 1");
  const Outcome outcome = run("FAILING=none", "make test");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.output, HasSubstr("installing: postgresql-15\n"));
  EXPECT_THAT(outcome.output, Not(HasSubstr("tests passed")));
}

}  // namespace
}  // namespace isomer
