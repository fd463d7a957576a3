// SPDX-License-Identifier: MIT
// Advice is the cheapest there is: compared with trying every assignment.
#include "audit/advise.h"

#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "level/library.h"
#include "program/load.h"
#include "support/effort.h"
#include "support/small_application.h"
#include "unit/audit/random_application.h"

namespace isomer::test {
namespace {

using audit::AdviseResult;
using audit::Assignment;
using audit::Cheapest;
using audit::Price;
using audit::Verdict;

// Every assignment of the options of each place.
std::vector<Assignment> all_assignments(const std::vector<std::uint32_t>& options) {
  std::vector<Assignment> out{{}};
  for (const std::uint32_t count : options) {
    std::vector<Assignment> longer;
    for (const Assignment& assignment : out)
      for (std::uint32_t option = 0; option < count; ++option) {
        longer.push_back(assignment);
        longer.back().push_back(option);
      }
    out = std::move(longer);
  }
  return out;
}

// --- the search for the cheapest, on its own ---

std::vector<Assignment> all_assignments(std::size_t places, std::uint32_t options) {
  return all_assignments(std::vector(places, options));
}

// Options in which 1 and 2 are not comparable, except in the first place.
bool is_covered(std::size_t place, std::uint32_t weak, std::uint32_t strong) {
  return weak == strong || weak == 0 || strong == 3 || (place == 0 && weak < strong);
}

TEST(Cheapest, is_the_cheapest_that_nothing_covers) {
  for (int seed = 1; seed <= effort(300, 30); ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const std::size_t places = 1 + random.below(4);
    std::vector<std::uint32_t> options;
    for (std::size_t place = 0; place < places; ++place)
      options.push_back(random.below(3) == 0 ? 2 : 4);
    Cheapest cheapest(options, is_covered);
    std::vector<Assignment> bad;
    for (std::uint64_t i = random.below(6); i > 0; --i) {
      Assignment one;
      for (std::size_t place = 0; place < places; ++place)
        one.push_back(static_cast<std::uint32_t>(random.below(options[place])));
      bad.push_back(one);
      cheapest.exclude(one, bad.size());
    }
    std::optional<std::pair<Price, Assignment>> best;
    for (const Assignment& one : all_assignments(options)) {
      const bool is_out = std::any_of(bad.begin(), bad.end(), [&](const Assignment& b) {
        return cheapest.covers(b, one);
      });
      EXPECT_EQ(is_out, cheapest.reason_against(one).has_value());
      const std::pair priced{audit::price_of(one), one};
      if (!is_out && (!best || priced < *best)) best = priced;
    }
    EXPECT_EQ(cheapest.next(Budget()), best ? std::optional(best->second) : std::nullopt)
        << "seed " << seed;
  }
}

// --- advice on applications ---

class CheapestAdvice : public testing::Test {
 protected:
  static audit::Offer offer(const std::vector<std::string>& names) {
    audit::Offer out;
    for (const std::string& name : names)
      out.levels.push_back(*level::standard_level("cerone:" + name));
    out.names = names;
    return out;
  }

  static bool is_clean(const program::Program& program, const audit::Plan& plan,
                       const audit::Options& options) {
    const audit::Result result = audit::audit(program, plan, options);
    EXPECT_NE(result.verdict, Verdict::Unknown) << result.unknown;
    return result.anomalies.empty();
  }

  static std::optional<Price> cheapest_levels(const program::Program& program,
                                              const audit::Offer& offer,
                                              const audit::Options& options) {
    std::optional<Price> best;
    const auto count = static_cast<std::uint32_t>(offer.levels.size());
    for (const Assignment& levels : all_assignments(program.types.size(), count)) {
      const Price price = audit::price_of(levels);
      if (best && *best <= price) continue;
      audit::Plan plan = audit::uniform_plan(program, offer.levels.front());
      plan.levels = offer.levels;
      plan.level_of = levels;
      if (is_clean(program, plan, options)) best = price;
    }
    return best;
  }

  static std::vector<std::vector<std::uint32_t>> all_pairs(
      const program::Program& program) {
    std::vector<std::vector<std::uint32_t>> out;
    for (std::uint32_t a = 0; a < program.types.size(); ++a)
      for (std::uint32_t b = a; b < program.types.size(); ++b)
        out.push_back({a, b});
    return out;
  }

  static std::optional<Price> fewest_pairs(const program::Program& program,
                                           const audit::Offer& offer,
                                           const audit::Options& options) {
    const std::vector<std::vector<std::uint32_t>> pairs = all_pairs(program);
    std::optional<Price> best;
    for (const Assignment& chosen : all_assignments(pairs.size(), 2)) {
      const Price price = audit::price_of(chosen);
      if (best && *best <= price) continue;
      audit::Plan plan = audit::uniform_plan(program, offer.levels.front());
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if (chosen[i] == 1) plan.serial.push_back(pairs[i]);
      if (is_clean(program, plan, options)) best = price;
    }
    return best;
  }

  // Levels and serial pairs together, each combination tried.
  static std::optional<Price> cheapest_mixture(const program::Program& program,
                                               const audit::Offer& offer,
                                               const audit::Options& options) {
    const std::vector<std::vector<std::uint32_t>> pairs = all_pairs(program);
    const std::size_t types = program.types.size();
    std::vector<std::uint32_t> counts(types,
                                      static_cast<std::uint32_t>(offer.levels.size()));
    counts.resize(types + pairs.size(), 2);
    std::optional<Price> best;
    for (const Assignment& chosen : all_assignments(counts)) {
      const Price price = audit::price_of(chosen);
      if (best && *best <= price) continue;
      audit::Plan plan = audit::uniform_plan(program, offer.levels.front());
      plan.levels = offer.levels;
      for (std::size_t i = 0; i < types; ++i)
        plan.level_of[i] = chosen[i];
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if (chosen[types + i] == 1) plan.serial.push_back(pairs[i]);
      if (is_clean(program, plan, options)) best = price;
    }
    return best;
  }

  // Gives whether something had to be changed.
  bool check(const RandomApplication& application,
             const std::vector<std::string>& names) const {
    const program::Program program = small_application(application.sql);
    const audit::Offer offered = offer(names);
    audit::Options options;
    options.cycle_max = 3;
    options.confirm = false;
    options.stop_at_first = true;
    const AdviseResult result = audit::advise(program, offered, options);
    if (result.uniform) {
      EXPECT_EQ(result.unknown, "") << application.sql;
    }
    if (result.unchanged.anomalies.empty()) return false;
    const auto price = [](const std::optional<audit::Advice>& advice) {
      return advice ? std::optional(advice->price) : std::nullopt;
    };
    EXPECT_EQ(price(result.by_type), cheapest_levels(program, offered, options))
        << fmt::format("{}\n", fmt::join(names, ",")) << application.sql;
    if (program.types.size() > 2) return true;  // there are 64 sets of pairs
    EXPECT_EQ(price(result.by_serial_pairs), fewest_pairs(program, offered, options))
        << names.front() << "\n"
        << application.sql;
    std::optional<Price> together = price(result.by_type);
    for (const auto& other : {price(result.by_serial_pairs), price(result.mixture)})
      if (other && (!together || *other < *together)) together = other;
    EXPECT_EQ(together, cheapest_mixture(program, offered, options)) << application.sql;
    if (result.mixture) {
      EXPECT_TRUE(is_clean(program, result.mixture->plan, options)) << application.sql;
    }
    return true;
  }
};

TEST_F(CheapestAdvice, is_as_cheap_as_the_best_of_all_assignments) {
  const std::vector<std::vector<std::string>> offers{
      {"EC", "PSI", "SER"}, {"EC", "CC", "PSI"}, {"PSI", "SI", "SER"}, {"PC", "PSI", "SI"}};
  int changed = 0;
  const int count = effort(12, 2);
  for (int seed = 1; seed <= count; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const RandomApplication application = random_application(random);
    changed += check(application, offers[random.below(offers.size())]) ? 1 : 0;
    if (HasFailure()) {
      ADD_FAILURE() << "seed " << seed;
      break;
    }
  }
  EXPECT_GT(changed, count / 4);
}

// Each of two pairs of types skews; one type is in both.
constexpr const char* star = R"(
CREATE TABLE item (id int PRIMARY KEY, a int NOT NULL, b int NOT NULL, c int NOT NULL);
CREATE PROCEDURE left_end(x int) LANGUAGE plpgsql AS $$
DECLARE u int; BEGIN
SELECT b INTO u FROM item WHERE id = x;
UPDATE item SET a = u + 1 WHERE id = x;
END $$;
CREATE PROCEDURE middle(x int) LANGUAGE plpgsql AS $$
DECLARE u int; v int; BEGIN
SELECT a INTO u FROM item WHERE id = x;
SELECT c INTO v FROM item WHERE id = x;
UPDATE item SET b = u + v WHERE id = x;
END $$;
CREATE PROCEDURE right_end(x int) LANGUAGE plpgsql AS $$
DECLARE u int; BEGIN
SELECT b INTO u FROM item WHERE id = x;
UPDATE item SET c = u + 1 WHERE id = x;
END $$;
)";

TEST_F(CheapestAdvice, says_what_goes_wrong_without_each_change) {
  const program::Program program = small_application(star);
  const audit::Offer offered = offer({"SI", "SER"});
  const AdviseResult result = audit::advise(program, offered, {});
  ASSERT_TRUE(result.by_type);
  EXPECT_EQ(result.by_type->changes.size(), result.by_type->price.changed);
  for (const audit::Change& change : result.by_type->changes) {
    EXPECT_EQ(change.without.kind, "write skew");
    EXPECT_TRUE(std::any_of(
        change.without.transactions.begin(), change.without.transactions.end(),
        [&](const auto& transaction) { return transaction.type == change.types.front(); }));
  }
  ASSERT_TRUE(result.by_serial_pairs);
  EXPECT_EQ(result.by_serial_pairs->price.changed, 2U);
}

// Two count the same, for which levels are cheaper than three pairs; two skew, for which
// one pair is cheaper than levels.
constexpr const char* counter_and_skew = R"(
CREATE TABLE item (id int PRIMARY KEY, a int NOT NULL, b int NOT NULL, c int NOT NULL);
CREATE PROCEDURE add(x int) LANGUAGE plpgsql AS $$
BEGIN UPDATE item SET c = c + 1 WHERE id = x; END $$;
CREATE PROCEDURE add_more(x int, n int) LANGUAGE plpgsql AS $$
BEGIN UPDATE item SET c = c + n WHERE id = x; END $$;
CREATE PROCEDURE skew(x int) LANGUAGE plpgsql AS $$
DECLARE u int; BEGIN
SELECT b INTO u FROM item WHERE id = x;
IF u > 0 THEN UPDATE item SET a = u WHERE id = x; END IF;
END $$;
CREATE PROCEDURE weks(x int) LANGUAGE plpgsql AS $$
DECLARE u int; BEGIN
SELECT a INTO u FROM item WHERE id = x;
IF u > 0 THEN UPDATE item SET b = u WHERE id = x; END IF;
END $$;
)";

TEST_F(CheapestAdvice, mixes_levels_and_serial_pairs) {
  const program::Program program = small_application(counter_and_skew);
  const audit::Offer offered = offer({"CC", "PSI", "SI", "SER"});
  const AdviseResult result = audit::advise(program, offered, {});
  ASSERT_TRUE(result.by_type);
  ASSERT_TRUE(result.by_serial_pairs);
  const Price alone = std::min(result.by_type->price, result.by_serial_pairs->price);
  ASSERT_TRUE(result.mixture);
  EXPECT_EQ(result.mixture->plan.serial, (std::vector<std::vector<std::uint32_t>>{{2, 3}}));
  EXPECT_EQ(result.mixture->names, (std::vector<std::string>{"PSI", "PSI", "CC", "CC"}));
  EXPECT_LT(result.mixture->price, alone);
  EXPECT_EQ(result.mixture->changes.size(), result.mixture->price.changed);
}

TEST_F(CheapestAdvice, knows_when_nothing_offered_is_enough) {
  const Scratch scratch;  // what is wrong is run, from a file
  std::ofstream(scratch.path("star.sql")) << star;
  const auto program = program::load_program(scratch.path("star.sql"));
  ASSERT_TRUE(program) << render(program.error());
  const AdviseResult result = audit::advise(*program, offer({"EC", "PSI", "SI"}), {});
  EXPECT_FALSE(result.uniform);
  ASSERT_EQ(result.shortfalls.size(), 1U);
  EXPECT_EQ(result.shortfalls[0].level, 2U);
  EXPECT_EQ(result.shortfalls[0].anomaly.confirmation, audit::Confirmation::Confirmed);
  EXPECT_FALSE(result.by_type);
  EXPECT_TRUE(result.by_serial_pairs);
  EXPECT_EQ(result.unknown, "");
}

// Nothing of it can be run here, since there is no file.
TEST_F(CheapestAdvice, says_if_what_stands_in_the_way_is_only_suspected) {
  const AdviseResult result =
      audit::advise(small_application(star), offer({"PC", "PSI"}), {});
  EXPECT_FALSE(result.uniform);
  EXPECT_EQ(result.shortfalls.size(), 2U);  // neither implies the other
  EXPECT_NE(result.unknown, "");
}

TEST_F(CheapestAdvice, ends_when_the_time_is_over) {
  audit::Options options;
  options.budget = Budget(0.0);
  const AdviseResult result =
      audit::advise(small_application(star), offer({"SI", "SER"}), options);
  EXPECT_FALSE(result.by_type);
  EXPECT_NE(result.unknown, "");
}

}  // namespace
}  // namespace isomer::test
