// SPDX-License-Identifier: MIT
#include "report/explore/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/litmus/litmus.h"

namespace isomer::report {
namespace {

using check::Level;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view lost_update = R"(program "lost update"
init { "x" = 0; "fixed" = 7; }
session "idle" { begin "noise" write("other", 1); commit; }
session "a" { begin "t1" f := read("fixed"); a := read("x"); again := read("x");
                         write("x", a + 1); commit; }
session "b" { begin "t2" b := read("x"); write("x", b + 2); commit; }
assert !(t1.a == 0 && t2.b == 0);
)";

constexpr std::string_view monotonic = R"(program "monotonic"
init { "x" = 0; "y" = 0; }
session "w" { begin "first" write("x", 1); commit; begin "second" write("y", 1); commit; }
session "r" { begin "look" y := read("y"); x := read("x"); write("z", 1);
                           assert y == 0 || x == 1; commit; }
)";

constexpr std::string_view always_wrong = R"(program "always wrong"
init { "x" = 0; }
session "a" { begin "t1" a := read("x"); commit; }
assert t1.a == 1;
)";

// An exploration with everything that a report needs.
struct Case {
  program::Program program;
  explore::Options options;
  explore::Result result;

  Case(std::string_view text, Level level)
      : program(program::parse_litmus("test.txn", text).value()) {
    options.level = level;
    result = explore::explore(program, options);
  }

  [[nodiscard]] Explored explored() const { return {program, options, result}; }

  [[nodiscard]] std::vector<ToldTransaction> told() const {
    return told_transactions(program, *result.failure);
  }
};

std::vector<std::string> names(const std::vector<ToldTransaction>& told) {
  std::vector<std::string> out;
  for (const ToldTransaction& transaction : told)
    out.push_back(transaction.name + " " + transaction.call);
  return out;
}

TEST(FailingHistory, calls_transactions_as_the_whole_program_does) {
  const Case lost(lost_update, Level::CC);
  EXPECT_THAT(names(lost.told()), testing::UnorderedElementsAre("a/1 t1", "b/1 t2"));
}

TEST(FailingHistory, tells_who_wrote_what_an_aborted_transaction_read) {
  const Case failing(monotonic, Level::RC);
  const std::vector<ToldTransaction> told = failing.told();
  const ToldTransaction& look = told.back();
  ASSERT_EQ(look.call, "look");
  EXPECT_FALSE(look.outcome.is_committed);
  std::vector<std::string> writers;
  for (const ToldOperation& operation : look.operations)
    if (operation.is_read) writers.push_back(writer_text(told, operation.writer));
  EXPECT_THAT(writers, ElementsAre("w/2", "the initial state"));
}

TEST(FailingHistory, leaves_out_what_nobody_changes_and_what_was_said) {
  const Case lost(lost_update, Level::CC);
  for (const ToldTransaction& told : lost.told()) {
    const ToldExcerpt excerpt =
        told_excerpt(told, written_keys(lost.result.failure.value()->history));
    EXPECT_EQ(excerpt.operations.size(), 2U) << told.call;  // one read, one write
    EXPECT_EQ(excerpt.left_out, told.call == "t1" ? 2U : 0U);
  }
}

TEST(FailingHistory, says_what_went_wrong_in_one_line) {
  const Case lost(lost_update, Level::CC);
  EXPECT_EQ(headline(lost.program, *lost.result.failure),
            "assert !(t1.a == 0 && t2.b == 0) fails");
  const Case failing(monotonic, Level::RC);
  EXPECT_EQ(headline(failing.program, *failing.result.failure),
            "an assertion fails at test.txn:5: y == 0 || x == 1");
}

TEST(FailingHistory, names_the_weakest_level_that_prevents_it) {
  EXPECT_EQ(prevention(failing_history(Case(lost_update, Level::CC).explored())),
            "PSI already forbids this history, and so does every stronger level.");
  EXPECT_EQ(prevention(failing_history(Case(monotonic, Level::RC).explored())),
            "CC already forbids this history, and so does every stronger level.");
  EXPECT_EQ(prevention(failing_history(Case(always_wrong, Level::CC).explored())),
            "Every level allows this history, SER too: the program goes wrong even when "
            "its transactions run one after another.");
}

TEST(ExploreText, ends_with_what_to_do_next_only_if_something_was_found) {
  const Case lost(lost_update, Level::CC);
  EXPECT_THAT(explore_text(lost.explored(), {.command = "isomer explore x"}),
              HasSubstr("See it:   isomer explore x --html"));
  const Case fine(lost_update, Level::SI);
  EXPECT_THAT(explore_text(fine.explored(), {.command = "isomer explore x"}),
              Not(HasSubstr("See it")));
}

TEST(ExploreText, has_colour_only_if_asked) {
  const Case lost(lost_update, Level::CC);
  EXPECT_THAT(explore_text(lost.explored(), {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(explore_text(lost.explored(), {.colour = true, .command = {}}),
              HasSubstr("\x1b"));
}

// What programs contain must not break the page.
TEST(ExploreHtml, escapes_what_programs_contain) {
  const Case odd(R"(program "odd"
init { "<key>" = 0; }
session "<session>" { begin "<call>" a := read("<key>"); write("<key>", "<value>");
                                     assert a == 1; commit; }
)",
                 Level::CC);
  const std::string page = explore_html(odd.explored());
  for (const char* text : {"<key>", "<session>", "<call>", "<value>"})
    EXPECT_THAT(page, Not(HasSubstr(text)));
  EXPECT_THAT(page, HasSubstr("&lt;call&gt;"));
}

}  // namespace
}  // namespace isomer::report
