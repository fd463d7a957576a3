// SPDX-License-Identifier: MIT
// Long cycles are searched by their parts.  Nothing may get lost by that: the oracle asks
// the solver about every cycle of types, one by one.
#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "audit/audit.h"
#include "audit/search.h"
#include "base/random.h"
#include "level/library.h"
#include "support/effort.h"
#include "support/small_application.h"
#include "unit/audit/random_application.h"

namespace isomer::test {
namespace {

using Types = std::vector<std::uint32_t>;
using logic::SatAnswer;

SatAnswer answer_for(const audit::Application& application, const audit::Plan& plan,
                     const audit::Options& options, const Types& types) {
  audit::Effort effort;
  audit::Chain chain(application, plan, types, audit::cycle_slots(types.size()));
  audit::Question question(chain, options, effort);
  return question.ask();
}

// Is there a cycle of this length, of any types at all?
SatAnswer any_cycle(const audit::Application& application, const audit::Plan& plan,
                    const audit::Options& options, std::size_t length) {
  const auto type_count = static_cast<std::uint32_t>(application.program().types.size());
  Types types(length, 0);
  SatAnswer out = SatAnswer::Unsatisfiable;
  while (true) {
    Types least = types;
    for (std::size_t i = 0; i < length; ++i) {
      Types rotated = types;
      std::rotate(rotated.begin(), rotated.begin() + static_cast<std::ptrdiff_t>(i),
                  rotated.end());
      least = std::min(least, rotated);
    }
    const SatAnswer answer = least == types ? answer_for(application, plan, options, types)
                                            : SatAnswer::Unsatisfiable;
    if (answer == SatAnswer::Satisfiable) return answer;
    if (answer == SatAnswer::Unknown) out = answer;
    std::size_t at = length;
    while (at > 0 && types[at - 1] + 1 == type_count)
      types[--at] = 0;
    if (at == 0) return out;
    ++types[at - 1];
  }
}

void expect_same(const program::Program& program, const audit::Plan& plan,
                 std::uint32_t cycle_max, int& with, int& without) {
  audit::Options options;
  options.cycle_max = cycle_max;
  options.confirm = false;
  options.stop_at_first = true;
  options.budget = Budget(60);
  const audit::Result result = audit::audit(program, plan, options);
  const audit::Application application(program, audit::model_of(program, plan, options),
                                       options.budget);
  SatAnswer expected = SatAnswer::Unsatisfiable;
  std::size_t shortest = 2;
  for (; shortest <= cycle_max; ++shortest) {
    expected = any_cycle(application, plan, options, shortest);
    if (expected != SatAnswer::Unsatisfiable) break;
  }
  if (expected == SatAnswer::Unknown || result.verdict == audit::Verdict::Unknown) return;
  if (expected == SatAnswer::Unsatisfiable) {
    ++without;
    EXPECT_EQ(result.verdict, audit::Verdict::NoCycle);
    return;
  }
  if (shortest > 3) ++with;
  ASSERT_EQ(result.verdict, audit::Verdict::Anomalies);
  EXPECT_EQ(result.anomalies.front().transactions.size(), shortest);
}

TEST(CycleParts, lose_no_cycle_of_random_applications) {
  Random random(8);
  int with = 0;
  int without = 0;
  for (int i = 0; i < effort(20, 4); ++i) {
    const RandomApplication drawn = random_application(random);
    SCOPED_TRACE(drawn.sql);
    const program::Program program = small_application(drawn.sql);
    for (const char* level : {"PSI", "PC", "SI"}) {
      SCOPED_TRACE(level);
      expect_same(program,
                  audit::uniform_plan(
                      program, *level::standard_level(std::string("cerone:") + level)),
                  4, with, without);
    }
  }
  EXPECT_GT(without, effort(6, 0));
}

// Applications whose shortest cycle has four transactions or five.
constexpr const char* tables = R"(
CREATE TABLE x (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE y (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE z (id int PRIMARY KEY, v int NOT NULL);
)";

constexpr const char* fork = R"(
CREATE PROCEDURE set_x(k int, n int) LANGUAGE plpgsql AS $$
BEGIN UPDATE x SET v = n WHERE id = k; END $$;
CREATE PROCEDURE set_y(k int, n int) LANGUAGE plpgsql AS $$
BEGIN UPDATE y SET v = n WHERE id = k; END $$;
CREATE FUNCTION look_xy(k int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE a int; b int; BEGIN
SELECT v INTO a FROM x WHERE id = k; SELECT v INTO b FROM y WHERE id = k; RETURN a + b;
END $$;
)";

// Reads one table and adds to another one, or only reads or writes: what may be in a cycle.
std::string procedure(Random& random, std::size_t number) {
  constexpr std::array names{"x", "y", "z"};
  const std::string name = "p" + std::to_string(number);
  const std::string from = names[random.below(3)];
  const std::string other = names[random.below(3)];
  std::string body;
  switch (random.below(4)) {
    case 0:
      body = "UPDATE " + from + " SET v = n WHERE id = k;";
      break;
    case 1:
      body = "SELECT v INTO a FROM " + from + " WHERE id = k; SELECT v INTO b FROM " +
             other + " WHERE id = k;";
      break;
    case 2:
      body = "SELECT v INTO a FROM " + from + " WHERE id = k; UPDATE " + other +
             " SET v = a WHERE id = k;";
      break;
    default:
      body = "SELECT v INTO a FROM " + from + " WHERE id = k; IF a > n THEN UPDATE " +
             other + " SET v = v + 1 WHERE id = n; END IF;";
  }
  return "CREATE PROCEDURE " + name +
         "(k int, n int) LANGUAGE plpgsql AS $$ DECLARE a int; b int; BEGIN " + body +
         " END $$;\n";
}

TEST(CycleParts, lose_no_long_cycle) {
  Random random(5);
  int with = 0;
  int without = 0;
  for (int i = 0; i < effort(10, 2); ++i) {
    // Every other one has a long fork.
    std::string sql = tables;
    if (i % 2 == 0) sql += fork;
    const std::size_t count = i % 2 == 0 ? 0 : 2 + random.below(2);
    for (std::size_t number = 0; number < count; ++number)
      sql += procedure(random, number);
    SCOPED_TRACE(sql);
    const program::Program program = small_application(sql);
    for (const char* level : {"PSI", "SI"})
      expect_same(program,
                  audit::uniform_plan(
                      program, *level::standard_level(std::string("cerone:") + level)),
                  5, with, without);
  }
  EXPECT_GT(with, effort(1, 0));
  EXPECT_GT(without, effort(4, 0));
}

// Three changes and three who each see one and miss the next.  Those who look alike see
// each other, so that no two of them disagree.
TEST(CycleParts, find_a_fork_of_six) {
  std::string sql = std::string(tables) + fork;
  sql +=
      "CREATE PROCEDURE set_z(k int, n int) LANGUAGE plpgsql AS $$ "
      "BEGIN UPDATE z SET v = n WHERE id = k; END $$;";
  for (const char* two : {"yz", "zx"})
    sql += std::string("CREATE FUNCTION look_") + two +
           "(k int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE a int; b int; BEGIN "
           "SELECT v INTO a FROM " +
           two[0] + " WHERE id = k; SELECT v INTO b FROM " + two[1] +
           " WHERE id = k; RETURN a + b; END $$;";
  const program::Program program = small_application(sql);
  audit::Plan plan = audit::uniform_plan(program, *level::standard_level("cerone:PSI"));
  for (std::uint32_t type = 0; type < program.types.size(); ++type)
    if (program.types[type].name.starts_with("look")) plan.serial.push_back({type, type});
  ASSERT_EQ(plan.serial.size(), 3U);
  audit::Options options;
  options.confirm = false;
  options.stop_at_first = true;
  options.cycle_max = 5;
  EXPECT_EQ(audit::audit(program, plan, options).verdict, audit::Verdict::NoCycle);
  options.cycle_max = 6;
  const audit::Result result = audit::audit(program, plan, options);
  ASSERT_EQ(result.verdict, audit::Verdict::Anomalies);
  EXPECT_EQ(result.anomalies.front().transactions.size(), 6U);
  EXPECT_EQ(result.anomalies.front().kind, "long fork");
}

}  // namespace
}  // namespace isomer::test
