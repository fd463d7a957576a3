// SPDX-License-Identifier: MIT
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "program/litmus/litmus.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"
#include "support/effort.h"
#include "support/files.h"

namespace isomer::program {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Program parsed(std::string_view text) {
  auto program = parse_litmus("p.txn", text);
  EXPECT_TRUE(program) << render(program.error());
  return program ? *program : Program{};
}

// One transaction on its own: its accesses in order, then how it ended.
struct Trace {
  std::vector<std::string> steps;
  Machine machine;
};

Trace trace_of(const Program& program, std::size_t call, Database database) {
  Trace out{.steps = {}, .machine = Machine(program, program.sessions[0].calls[call], {})};
  while (true) {
    const Step step = out.machine.next();
    if (const auto* read = std::get_if<WantsRead>(&step)) {
      out.steps.push_back("r " + read->key);
      out.machine.answer(database[read->key]);
    } else if (const auto* write = std::get_if<WritesKey>(&step)) {
      out.steps.push_back(fmt::format("w {}={}", write->key, to_text(write->value)));
    } else {
      if (const auto* aborts = std::get_if<Aborts>(&step))
        out.steps.push_back("aborts: " + aborts->reason);
      else if (const auto* fails = std::get_if<FailsAssert>(&step))
        out.steps.push_back("fails: " + fails->message);
      else
        out.steps.push_back("commits");
      return out;
    }
  }
}

std::vector<std::string> steps_of(std::string_view statements) {
  const Program program =
      parsed(fmt::format("program \"p\" init {{ \"x\" = 7; \"l\" = [\"a:1\", \"b:2\"]; }}\n"
                         "session {{ begin \"t\" {} commit; }}",
                         statements));
  return trace_of(program, 0, initial_database(program)).steps;
}

TEST(MachineOnLitmus, stops_at_each_access) {
  EXPECT_THAT(steps_of("a := read(\"x\"); write(\"y\", a + 1);"),
              ElementsAre("r x", "w y=8", "commits"));
}

TEST(MachineOnLitmus, answers_own_writes_inside) {
  EXPECT_THAT(steps_of("write(\"x\", 1); a := read(\"x\"); write(\"y\", a);"),
              ElementsAre("w x=1", "w y=1", "commits"));
}

TEST(MachineOnLitmus, reads_the_same_key_again) {
  EXPECT_THAT(steps_of("a := read(\"x\"); b := read(\"x\");"),
              ElementsAre("r x", "r x", "commits"));
}

TEST(MachineOnLitmus, computes_keys_and_loops) {
  EXPECT_THAT(steps_of("l := read(\"l\"); foreach e in l { if (part(e, 1) > 1) { b := "
                       "read(cat(\"k:\", e)); } else { write(e, size(l)); } }"),
              ElementsAre("r l", "w a:1=2", "r k:b:2", "commits"));
}

TEST(MachineOnLitmus, aborts_on_request_and_on_type_errors) {
  EXPECT_THAT(steps_of("write(\"x\", 1); abort; write(\"y\", 1);"),
              ElementsAre("w x=1", "aborts: the transaction aborts itself"));
  EXPECT_THAT(
      steps_of("a := 1 + \"x\";"),
      ElementsAre("aborts: the second operand of '+' must be an integer, but is \"x\""));
  EXPECT_THAT(steps_of("a := 9223372036854775807 + 1;"),
              ElementsAre("aborts: the result does not fit into 64 bits"));
  EXPECT_THAT(steps_of("a := get([1], 1);"),
              ElementsAre("aborts: a list of 1 items has no item 1"));
  EXPECT_THAT(steps_of("a := read(5);"),
              ElementsAre("aborts: a key must be a string, but is 5"));
  EXPECT_THAT(steps_of("foreach a in null { }"),
              ElementsAre("aborts: 'foreach' needs a list, but got null"));
}

TEST(MachineOnLitmus, fails_asserts) {
  EXPECT_THAT(steps_of("a := read(\"x\"); assert a == 7; assert a == 8;"),
              ElementsAre("r x", "fails: a == 8"));
}

TEST(MachineOnLitmus, bounds_what_a_loop_can_build) {
  const std::string doubling =
      "s := \"0123456789\"; l := [1]; foreach i in [1,2,3,4,5,6,7,8] { foreach j in "
      "[1,2,3,4,5,6,7,8] { s := cat(s, s); } }";
  EXPECT_THAT(steps_of(doubling), ElementsAre(HasSubstr("longer than")));
  const std::string nesting =
      "l := [1]; foreach i in [1,2,3,4,5,6,7,8] { foreach j in [1,2,3,4,5,6,7,8] { l := "
      "[l, l]; "
      "} }";
  EXPECT_THAT(steps_of(nesting), ElementsAre(HasSubstr("nested too deeply")));
}

TEST(MachineOnLitmus, evaluates_all_functions) {
  const auto value = [](std::string_view expression) {
    const Program program = parsed(fmt::format(
        "program \"p\" session {{ begin \"t\" a := {}; commit; }}", expression));
    const Trace trace = trace_of(program, 0, {});
    EXPECT_THAT(trace.steps, ElementsAre("commits")) << expression;
    return to_text(trace.machine.local("a"));
  };
  EXPECT_EQ(value("append([1], \"x\")"), "[1, x]");
  EXPECT_EQ(value("remove([1, 2, 1], 1)"), "[2, 1]");
  EXPECT_EQ(value("remove([1], 5)"), "[1]");
  EXPECT_EQ(value("contains([[1], 2], [1])"), "1");
  EXPECT_EQ(value("contains([], null)"), "0");
  EXPECT_EQ(value("set([1, 2], 1, [3])"), "[1, [3]]");
  EXPECT_EQ(value("cat(\"a\", 5, \":\")"), "a5:");
  EXPECT_EQ(value("startswith(\"abc\", \"ab\") + endswith(\"abc\", \"ab\")"), "1");
  EXPECT_EQ(value("part(\"a:-5:c\", 1) + 1"), "-4");
  EXPECT_EQ(value("part(\"a:5x:c\", 1)"), "5x");
  EXPECT_EQ(value("max(-3, 2)"), "2");
  EXPECT_EQ(value("null == null"), "1");
  EXPECT_EQ(value("null == 0 || \"1\" == 1"), "0");
  EXPECT_EQ(value("1 - 2 - 3"), "-4");
  EXPECT_EQ(value("1 + 1 < 3 && !0 && \"a\" < \"b\""), "1");
  EXPECT_EQ(value("-9223372036854775808"), "-9223372036854775808");
  EXPECT_EQ(value("!null"), "1");
}

TEST(Machine, is_a_value) {
  const Program program = parsed(
      "program \"p\" session { begin \"t\" a := read(\"x\"); b := read(\"y\"); "
      "write(\"z\", cat(a, b)); commit; }");
  Machine first(program, program.sessions[0].calls[0], {});
  first.next();
  Machine second = first;
  first.answer(Value::integer(1));
  first.next();
  second.answer(Value::integer(2));
  second.next();
  Machine third = second;
  first.answer(Value::integer(5));
  second.answer(Value::integer(6));
  third.answer(Value::integer(7));
  EXPECT_EQ(to_text(std::get<WritesKey>(first.next()).value), "15");
  EXPECT_EQ(to_text(std::get<WritesKey>(second.next()).value), "26");
  EXPECT_EQ(to_text(std::get<WritesKey>(third.next()).value), "27");
}

std::vector<std::string> corpus() {
  std::vector<std::string> out;
  for (const auto& file : test::files_in(test::corpus / "program/litmus", ".txn"))
    out.push_back(test::contents(file));
  return out;
}

// Why transactions aborted when the sessions run one after the other.
std::set<std::string> abort_reasons(const Program& program) {
  std::set<std::string> out;
  Database database = initial_database(program);
  for (const Session& session : program.sessions)
    for (const Call& call : session.calls) {
      const SerialRun run = run_serially(program, call, {}, database);
      if (const auto* aborts = std::get_if<Aborts>(&run.end)) out.insert(aborts->reason);
    }
  return out;
}

TEST(LitmusCorpus, has_no_type_errors) {
  for (const std::string& text : corpus()) {
    auto reasons = abort_reasons(parsed(text));
    reasons.erase("the transaction aborts itself");
    EXPECT_THAT(reasons, testing::IsEmpty()) << text;
  }
}

// Pieces of a program moved to other places: what still parses must still end.
TEST(LitmusCorpus, ends_when_its_programs_are_damaged) {
  const std::vector<std::string> texts = corpus();
  Random random(7);
  std::size_t parsed_count = 0;
  for (int round = 0; round < effort(3000, 300); ++round) {
    std::string text = texts[random.below(texts.size())];
    for (std::uint64_t i = 0; i <= random.below(3); ++i) {
      const std::string piece =
          text.substr(random.below(text.size()), 1 + random.below(12));
      text.replace(random.below(text.size()), random.below(12), piece);
    }
    const auto program = parse_litmus("p.txn", text);
    if (!program) {
      EXPECT_FALSE(program.error().empty());
      continue;
    }
    ++parsed_count;
    abort_reasons(*program);
  }
  EXPECT_GT(parsed_count, effort<std::size_t>(20, 2));
}

}  // namespace
}  // namespace isomer::program
