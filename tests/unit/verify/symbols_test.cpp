// SPDX-License-Identifier: MIT
// Invariants that name parameters of calls: for any value of them, verify finds a violation
// if and only if explore finds one with some value written in its place.
#include "verify/symbols.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "program/load.h"
#include "support/effort.h"
#include "support/verify/against_explore.h"
#include "support/verify/random_application.h"
#include "verify/verify.h"

namespace isomer::verify {
namespace {

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

// Over the tables of ApplicationMaker, with ?a in calls, conditions and queries inside.
std::string invariant_about_a(Random& random) {
  constexpr const char* some[] = {
      "SELECT NOT EXISTS (SELECT 1 FROM acc WHERE id = ?a AND n > 1)",
      "SELECT count(*) <= 2 + ?a FROM acc WHERE n >= ?a",
      "SELECT coalesce((SELECT n FROM acc WHERE id = ?a), 0) < 3",
      "SELECT ?a IS NOT NULL OR NOT EXISTS (SELECT 1 FROM log WHERE v = 1)",
      "SELECT NOT EXISTS (SELECT 1 FROM acc JOIN log ON a = id AND v = ?a WHERE n < 1)",
      "SELECT CASE WHEN ?a > 1 THEN (SELECT count(*) FROM acc) < 4 ELSE true END"};
  return some[random.below(std::size(some))];
}

class Symbols : public testing::Test {
 public:
  ~Symbols() override { std::filesystem::remove_all(folder_); }

  Expected<program::Program> loaded(const RandomApplication& application) {
    return program::load_program(written_application(application, folder_));
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / fmt::format("isomer-symbols-{}", ::getpid());
};

// "violated" if it is with one of the values; absent if explore cannot tell.
std::optional<std::string> explored(Symbols& test, const RandomApplication& open,
                                    const check::AskedLevel& level) {
  std::string out = "holds";
  for (const std::string value : {"1", "2", "NULL::int"}) {
    const auto closed = test.loaded({open.sql, replaced(open.scenario, "?a", value)});
    if (!closed) return std::nullopt;
    const auto rows = compared_with_explore(*closed, {level}, 20);
    if (!rows || rows->front().explored == "unknown") return std::nullopt;
    if (rows->front().explored == "violated") out = "violated";
  }
  return out;
}

std::string verified(const program::Program& program, const check::AskedLevel& level) {
  Options options;
  options.levels = {level};
  options.seconds_per_question = 20;
  const auto result = verify(program, options);
  if (!result) return result.error().front().message;
  std::string out = "holds";
  for (const Answer& answer : result->levels.front().answers) {
    EXPECT_EQ(answer.contradiction, "");
    if (answer.verdict == Verdict::Violated) return "violated";
    if (answer.verdict == Verdict::Unknown) out = "unknown";
  }
  return out;
}

TEST_F(Symbols, in_invariants_stand_for_any_value) {
  std::size_t compared = 0;
  std::size_t violated = 0;
  for (std::uint64_t seed = 1; seed <= effort(24U, 3U); ++seed) {
    const RandomApplication made = ApplicationMaker(seed).make();
    Random random(seed);
    const std::string calls =
        "[[session]]\ncalls = [\"t0(?a, 1)\"]\n"
        "[[session]]\ncalls = [\"t0(1, ?a)\"]\n";
    const RandomApplication open{
        made.sql, made.scenario.substr(0, made.scenario.find("[[session]]")) + calls +
                      "[invariant]\nx = \"" + invariant_about_a(random) + "\"\n"};
    const std::string assume = "[assume]\nsmall = \"?a IS NULL OR ?a IN (1, 2)\"\n";
    const check::AskedLevel level =
        random.below(2) == 0 ? check::Level::CC : check::Level::SER;
    const auto expected = explored(*this, open, level);
    const auto program = loaded({open.sql, open.scenario + assume});
    if (!expected || !program) continue;
    ++compared;
    violated += *expected == "violated" ? 1U : 0U;
    EXPECT_EQ(verified(*program, level), *expected)
        << "seed " << seed << " at " << level.name << "\n"
        << open.sql << open.scenario;
  }
  EXPECT_GT(compared, effort(8U, 0U));
  EXPECT_GT(violated, effort(2U, 0U));
  EXPECT_LT(violated, compared);
}

}  // namespace
}  // namespace isomer::verify
