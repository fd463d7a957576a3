// SPDX-License-Identifier: MIT
#include "program/litmus/litmus.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace isomer::program {
namespace {

using testing::HasSubstr;

const std::filesystem::path folder = test::corpus / "program/litmus";

// The complaints about the text; empty if there are none.
std::string errors_of(std::string_view text) {
  const auto program = parse_litmus("p.txn", text);
  return program ? "" : render(program.error());
}

std::string error_in(std::string_view statements) {
  return errors_of("program \"p\" session { begin \"t\"\n" + std::string(statements) +
                   "\ncommit; }");
}

TEST(LitmusCorpus, parses_every_program) {
  const auto files = test::files_in(folder, ".txn");
  EXPECT_GE(files.size(), 18U);
  for (const std::filesystem::path& file : files) {
    const auto program = parse_litmus(file.string(), test::contents(file));
    ASSERT_TRUE(program) << render(program.error());
    EXPECT_EQ(program->name, file.stem().string());
    EXPECT_FALSE(program->sessions.empty());
    EXPECT_FALSE(program->initial_keys.empty());
  }
}

TEST(Litmus, becomes_types_and_calls) {
  const auto program = parse_litmus("p.txn", R"(program "write skew"
init { "x" = 0; "y" = [1, "a", null]; }
session "ann" { begin "t1" a := read("x"); write("y", a + 1); commit; begin commit; }
session { begin "t2" if (1 < 2) { abort; } else { b := 1; } commit; }
assert !(t1.a == 0 && t2.b == 0);
)");
  ASSERT_TRUE(program) << render(program.error());
  EXPECT_EQ(program->name, "write skew");
  ASSERT_EQ(program->sessions.size(), 2U);
  EXPECT_EQ(program->sessions[0].name, "ann");
  EXPECT_EQ(program->sessions[1].name, "s2");
  ASSERT_EQ(program->types.size(), 3U);
  EXPECT_EQ(program->types[1].name, "ann/2");
  EXPECT_EQ(program->sessions[1].calls[0].type, 2U);
  EXPECT_EQ(to_text(program->initial_keys[1].second), "[1, a, NULL]");
  ASSERT_EQ(program->types[0].body.size(), 2U);
  EXPECT_EQ(program->types[0].body[0].kind, Statement::Kind::ReadKey);
  EXPECT_EQ(program->invariants[0].text, "!(t1.a == 0 && t2.b == 0)");
}

TEST(LitmusErrors, show_the_place) {
  EXPECT_EQ(errors_of("program \"p\"\nsession {\n  begin \"t\"\n    a := reed(\"x\");\n  "
                      "commit;\n}\n"),
            "p.txn:4:10: error: there is no function 'reed'; there are append, remove, "
            "contains, size, get, set, cat, startswith, endswith, part, max\n"
            "      a := reed(\"x\");\n           ^\n");
}

TEST(LitmusErrors, suggest_what_was_meant) {
  EXPECT_THAT(error_in("a := apend([], 1);"), HasSubstr("did you mean 'append'?"));
  EXPECT_THAT(error_in("value := 1; write(\"x\", vaule);"),
              HasSubstr("did you mean 'value'?"));
  EXPECT_THAT(errors_of("program \"p\" session { begin \"first\" a := 1; commit; }\n"
                        "assert frist.a == 1;"),
              HasSubstr("no transaction is labelled 'frist'; did you mean 'first'?"));
  EXPECT_THAT(errors_of("program \"p\" session { begin \"t\" count := 1; commit; }\n"
                        "assert t.cuont == 1;"),
              HasSubstr("transaction 't' has no local 'cuont'; did you mean 'count'?"));
}

TEST(LitmusErrors, say_what_was_expected) {
  EXPECT_THAT(errors_of(""), HasSubstr("expected 'program' and its name"));
  EXPECT_THAT(errors_of("program p"), HasSubstr("the name of the program, a string"));
  EXPECT_THAT(error_in("a := ;"), HasSubstr("expected an expression, found ';'"));
  EXPECT_THAT(error_in("a = 1;"), HasSubstr("expected ':=' after 'a', found '='"));
  EXPECT_THAT(error_in("read(\"x\");"), HasSubstr("the value read needs a name"));
  EXPECT_THAT(error_in("a := 1 + read(\"x\");"), HasSubstr("a read stands alone"));
  EXPECT_THAT(error_in("write(\"x\");"), HasSubstr("expected ',' and the value"));
  EXPECT_THAT(error_in("a := get([1]);"), HasSubstr("'get' takes 2 arguments, found 1"));
  EXPECT_THAT(error_in("a := 99999999999999999999;"),
              HasSubstr("does not fit into 64 bits"));
  EXPECT_THAT(error_in("a := \"x;"), HasSubstr("this string is not closed"));
  EXPECT_THAT(error_in("a := 1 & 2;"), HasSubstr("expected '&&'"));
  EXPECT_THAT(error_in("a := t.b;"), HasSubstr("in final asserts only"));
  EXPECT_THAT(errors_of("program \"p\" init { \"x\" = 1; \"x\" = 2; }"),
              HasSubstr("has two initial values"));
  EXPECT_THAT(errors_of("program \"p\" init { \"x\" = 1 + \"a\"; }"),
              HasSubstr("the second operand of '+' must be an integer, but is \"a\""));
  EXPECT_THAT(errors_of("program \"p\" session { begin a := 1; } "),
              HasSubstr("expected a statement or 'commit', found '}'"));
}

TEST(LitmusErrors, are_several_but_no_more_than_20) {
  std::string text = "program \"p\" session { begin\n";
  for (int i = 0; i < 3; ++i)
    text += "a := ;\n";
  EXPECT_EQ(parse_litmus("p.txn", text + "commit; }").error().size(), 3U);
  for (int i = 0; i < 50; ++i)
    text += "a := ;\n";
  EXPECT_EQ(parse_litmus("p.txn", text + "commit; }").error().size(), 20U);
}

TEST(LitmusErrors, bound_nesting) {
  const auto repeated = [](std::string_view piece) {
    std::string out;
    for (int i = 0; i < 100'000; ++i)
      out += piece;
    return out;
  };
  for (const std::string_view piece : {"(", "[", "!", "- ", "1 + ", "size("})
    EXPECT_THAT(error_in("a := " + repeated(piece) + "1;"), HasSubstr("levels deep"))
        << piece;
  EXPECT_THAT(error_in(repeated("if (1) {")),
              HasSubstr("nested more than 200 levels deep"));
  EXPECT_THAT(error_in(repeated("foreach a in [] {")),
              HasSubstr("nested more than 200 levels deep"));
}

// Only behind the '}' of init or of a session is a part of the file a program.
TEST(LitmusErrors, are_found_in_a_file_that_is_cut_off) {
  const std::string whole = test::contents(folder / "courseware-1.txn");
  for (std::size_t size = 29; size < whole.size(); size += 7) {
    const std::string part = whole.substr(0, size);
    const auto last = part.find_last_not_of('\n');
    const bool is_whole = part[last] == '}' && (last == 0 || part[last - 1] == '\n');
    EXPECT_EQ(parse_litmus("p.txn", part).has_value(), is_whole) << size;
  }
}

}  // namespace
}  // namespace isomer::program
