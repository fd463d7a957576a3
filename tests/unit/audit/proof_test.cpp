// SPDX-License-Identifier: MIT
// A proof speaks of any number of transactions, so it must not be found where there is a
// cycle that was not searched for.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audit/audit.h"
#include "base/random.h"
#include "level/library.h"
#include "support/effort.h"
#include "support/small_application.h"
#include "unit/audit/random_application.h"

namespace isomer::test {
namespace {

using audit::Verdict;

audit::Plan plan_at(const program::Program& program, const std::string& level) {
  return audit::uniform_plan(program, *level::standard_level("cerone:" + level));
}

audit::Result audited(const program::Program& program, const audit::Plan& plan,
                      std::uint32_t cycle_max, bool prove) {
  audit::Options options;
  options.cycle_max = cycle_max;
  options.path_max = 3;
  options.prove = prove;
  options.confirm = false;
  options.stop_at_first = true;
  options.budget = Budget(prove ? 1 : 10);
  return audit::audit(program, plan, options);
}

struct Hidden {
  std::string name;
  std::string level;
  std::uint32_t shortest;
  std::string procedures;
};

constexpr const char* tables = R"(
CREATE TABLE x (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE y (id int PRIMARY KEY, v int NOT NULL);
)";

constexpr const char* setters = R"(
CREATE PROCEDURE set_x(k int, n int) LANGUAGE plpgsql AS $$
BEGIN UPDATE x SET v = n WHERE id = k; END $$;
CREATE PROCEDURE set_y(k int, n int) LANGUAGE plpgsql AS $$
BEGIN UPDATE y SET v = n WHERE id = k; END $$;
)";

constexpr const char* look = R"(
CREATE PROCEDURE look(k int) LANGUAGE plpgsql AS $$
DECLARE a int; b int; BEGIN
SELECT v INTO a FROM x WHERE id = k;
SELECT v INTO b FROM y WHERE id = k;
END $$;
)";

// What two lock makes neither depend on the other.
constexpr const char* look_and_lock = R"(
CREATE PROCEDURE look(k int) LANGUAGE plpgsql AS $$
DECLARE a int; b int; BEGIN
SELECT v INTO a FROM x WHERE id = k FOR UPDATE;
SELECT v INTO b FROM y WHERE id = k FOR UPDATE;
END $$;
)";

// Follows x into y.
constexpr const char* follow = R"(
CREATE PROCEDURE follow(k int) LANGUAGE plpgsql AS $$
DECLARE a int; BEGIN
SELECT v INTO a FROM x WHERE id = k;
UPDATE y SET v = a WHERE id = k;
END $$;
CREATE PROCEDURE set_x(k int, n int) LANGUAGE plpgsql AS $$
BEGIN UPDATE x SET v = n WHERE id = k; END $$;
)";

class Longer : public testing::TestWithParam<Hidden> {};

TEST_P(Longer, cycle_is_not_proved_away) {
  const program::Program program = small_application(tables + GetParam().procedures);
  const audit::Plan plan = plan_at(program, GetParam().level);
  const std::uint32_t shortest = GetParam().shortest;
  EXPECT_EQ(audited(program, plan, shortest - 1, false).verdict, Verdict::NoCycle);
  EXPECT_EQ(audited(program, plan, shortest, false).verdict, Verdict::Anomalies);
  const audit::Result result = audited(program, plan, shortest - 1, true);
  EXPECT_NE(result.verdict, Verdict::Serializable) << result.proof;
}

INSTANTIATE_TEST_SUITE_P(
    Proof, Longer,
    testing::Values(Hidden{"long_fork", "PSI", 4, fmt::format("{}{}", setters, look)},
                    Hidden{"long_fork_of_lockers", "CC", 4,
                           fmt::format("{}{}", setters, look_and_lock)},
                    Hidden{"read_only_anomaly", "SI", 3, fmt::format("{}{}", follow, look)},
                    Hidden{"without_causality", "UA", 3,
                           fmt::format("{}{}", follow, look)}),
    [](const testing::TestParamInfo<Hidden>& tested) { return tested.param.name; });

// PostgreSQL's SERIALIZABLE helps only if all three of the cycle have it.
TEST(Proof, watches_only_what_is_serializable) {
  const program::Program program =
      small_application(fmt::format("{}{}{}", tables, follow, look));
  audit::Plan plan = plan_at(program, "SI");
  for (std::uint32_t set = effort(0U, 6U); set < 8; ++set) {
    plan.is_watched = {(set & 1U) != 0, (set & 2U) != 0, (set & 4U) != 0};
    const audit::Result result = audited(program, plan, 2, true);
    EXPECT_EQ(result.verdict == Verdict::Serializable, set == 7) << set << result.proof;
    EXPECT_EQ(audited(program, plan, 3, false).anomalies.empty(), set == 7) << set;
  }
}

std::vector<audit::Plan> plans(const program::Program& program, Random& random) {
  std::vector<audit::Plan> out;
  for (const char* level : {"EC", "PSI", "SI", "SER", "SI"})
    out.push_back(plan_at(program, level));
  for (std::size_t type = 0; type < program.types.size(); ++type)
    out.back().is_watched.push_back(random.below(4) > 0);
  return out;
}

TEST(Proof, is_found_only_where_there_is_no_cycle) {
  int proved = 0;
  int refuted = 0;
  const int count = effort(12, 2);
  for (int seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::string sql = random_application(random).sql;
    const program::Program program = small_application(sql);
    for (const audit::Plan& plan : plans(program, random)) {
      const audit::Result any = audited(program, plan, 1, true);
      if (any.verdict != Verdict::Serializable) continue;
      ++proved;
      EXPECT_NE(audited(program, plan, 3, false).verdict, Verdict::Anomalies)
          << "seed " << seed << " " << plan.name << " " << any.proof << sql;
    }
    const audit::Result weakest = audited(program, plan_at(program, "EC"), 3, false);
    refuted += weakest.verdict == Verdict::Anomalies ? 1 : 0;
  }
  EXPECT_GT(proved, count / 2);
  EXPECT_GT(refuted, count / 2);
}

}  // namespace
}  // namespace isomer::test
