// SPDX-License-Identifier: MIT
// Which sessions are alike, and that one order of them stands for all: on random
// applications the same verdicts as without.
#include "verify/symmetry.h"

#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "program/load.h"
#include "support/effort.h"
#include "support/verify/random_application.h"
#include "verify/verify.h"

namespace isomer::verify {
namespace {

using Classes = std::vector<std::vector<std::uint32_t>>;

class Symmetry : public testing::Test {
 public:
  ~Symmetry() override { std::filesystem::remove_all(folder_); }

  Expected<program::Program> loaded(const std::string& sql, const std::string& scenario) {
    return program::load_program(
        written_application({.sql = sql, .scenario = scenario}, folder_));
  }

  Classes classes(const std::string& scenario) {
    const auto program = loaded(
        "CREATE TABLE t (id int PRIMARY KEY, n int);\n"
        "CREATE PROCEDURE f(x int, y int) LANGUAGE plpgsql AS $$\n"
        "BEGIN UPDATE t SET n = y WHERE id = x; END $$;\n"
        "CREATE PROCEDURE g(x int, y int) LANGUAGE plpgsql AS $$\n"
        "BEGIN UPDATE t SET n = y WHERE id = x; END $$;\n",
        "app = \"app.sql\"\n" + scenario);
    EXPECT_TRUE(program) << program.error().front().message;
    return interchangeable_sessions(*program);
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("isomer-sym-{}", ::getpid());
};

std::string sessions(const std::vector<std::string>& calls) {
  std::string out;
  for (const std::string& call : calls)
    out += fmt::format("[[session]]\ncalls = [{}]\n", call);
  return out;
}

TEST_F(Symmetry, the_same_call_with_other_symbols_is_alike) {
  EXPECT_EQ(classes(sessions({"\"f(?a, ?b)\"", "\"f(?c, ?d)\"", "\"g(?e, 1)\"",
                              "\"f(?k, ?l)\"", "\"g(?m, 1)\""})),
            (Classes{{0, 1, 3}, {2, 4}}));
}

TEST_F(Symmetry, so_is_the_same_constant_and_a_symbol_that_both_have) {
  EXPECT_EQ(classes(sessions({"\"f(1, 2)\"", "\"f(1, 2)\"", "\"f(2, 2)\""})),
            (Classes{{0, 1}}));
  EXPECT_EQ(classes(sessions({"\"f(?a, ?x)\"", "\"f(?b, ?x)\""})), (Classes{{0, 1}}));
}

TEST_F(Symmetry, whatever_else_has_the_symbol_tells_them_apart) {
  EXPECT_EQ(classes(sessions({"\"f(?a, 1)\"", "\"f(?b, 1)\"", "\"g(?a, 1)\""})), Classes{});
  EXPECT_EQ(classes(sessions({"\"f(?a, ?b)\"", "\"f(?b, ?c)\""})), Classes{});
  EXPECT_EQ(classes(sessions({"\"f(?a, ?a)\"", "\"f(?b, ?c)\""})), Classes{});
  const std::string two = sessions({"\"f(?a, 1)\"", "\"f(?b, 1)\""});
  EXPECT_EQ(classes(two + "[assume]\nx = \"?a > 1\"\n"), Classes{});
  EXPECT_EQ(classes(two + "[assume]\nx = \"?a < ?b\"\n"), Classes{});
  EXPECT_EQ(classes(two + "[invariant]\nx = \"SELECT n > 0 FROM t WHERE id = ?a\"\n"),
            Classes{});
}

TEST_F(Symmetry, what_is_assumed_of_both_does_not) {
  const std::string two = sessions({"\"f(?a, 1)\"", "\"f(?b, 1)\""});
  EXPECT_EQ(classes(two + "[assume]\nx = \"?a > 1\"\ny = \"?b > 1\"\nz = \"?a <> ?b\"\n"),
            (Classes{{0, 1}}));
}

TEST_F(Symmetry, sessions_of_several_calls_are_compared_call_by_call) {
  EXPECT_EQ(classes(sessions({"\"f(?a, 1)\", \"g(?a, 2)\"", "\"f(?b, 1)\", \"g(?b, 2)\"",
                              "\"f(?c, 1)\", \"g(?d, 2)\"", "\"f(?e, 1)\""})),
            (Classes{{0, 1}}));
}

// Sessions of one kind of call, some with a second call, with symbols, shared symbols,
// constants and NULL; and one that is different.
std::string symmetric_sessions(Random& random) {
  const bool has_second = random.below(4) == 0;
  const std::uint64_t first = random.below(4);
  const std::uint64_t second = random.below(4);
  const auto argument = [&](std::uint64_t kind, std::string_view name, std::uint64_t i) {
    if (kind == 0) return fmt::format("{}", 1 + random.below(2));
    return kind == 1 ? fmt::format("?{}", name) : fmt::format("?{}{}", name, i);
  };
  std::vector<std::string> calls;
  for (std::uint64_t i = 0; i < (has_second ? 2U : 2 + random.below(2)); ++i) {
    const std::string arguments =
        fmt::format("{}, {}", argument(first, "a", i), argument(second, "b", i));
    calls.push_back(has_second ? fmt::format("\"t0({0})\", \"t0({0})\"", arguments)
                               : fmt::format("\"t0({})\"", arguments));
  }
  if (random.below(3) == 0 && calls.size() == 2) calls.emplace_back("\"t0(NULL, 1)\"");
  return sessions(calls);
}

std::string verdicts(const program::Program& program, bool breaks_symmetry) {
  using check::Level;
  Options options;
  options.levels = {Level::RC, Level::CC, Level::PSI, Level::SI, Level::SER};
  options.breaks_symmetry = breaks_symmetry;
  options.seconds_per_question = 20;
  const auto result = verify(program, options);
  if (!result) return result.error().front().message;
  std::string out;
  for (const LevelAnswer& level : result->levels)
    for (const Answer& answer : level.answers) {
      EXPECT_EQ(answer.contradiction, "");
      out += "hv?"[static_cast<std::size_t>(answer.verdict)];
    }
  return out;
}

TEST_F(Symmetry, one_order_stands_for_all_on_random_applications) {
  std::size_t alike = 0;
  std::size_t holding = 0;
  std::size_t broken = 0;
  for (std::uint64_t seed = 1; seed <= effort(40U, 4U); ++seed) {
    const RandomApplication made = ApplicationMaker(seed).make();
    Random random(seed);
    const std::string scenario =
        made.scenario.substr(0, made.scenario.find("[[session]]")) +
        symmetric_sessions(random) +
        made.scenario.substr(made.scenario.find("[invariant]"));
    const auto program = loaded(made.sql, scenario);
    if (!program || interchangeable_sessions(*program).empty()) continue;
    ++alike;
    const std::string with = verdicts(*program, true);
    const std::string without = verdicts(*program, false);
    holding += with.find('h') != std::string::npos ? 1U : 0U;
    broken += with.find('v') != std::string::npos ? 1U : 0U;
    if (without.find('?') != std::string::npos) continue;
    EXPECT_EQ(with, without) << "seed " << seed << "\n" << made.sql << scenario;
  }
  EXPECT_GT(alike, effort(20U, 1U));
  EXPECT_GT(holding, effort(5U, 0U));
  EXPECT_GT(broken, effort(5U, 0U));
}

}  // namespace
}  // namespace isomer::verify
