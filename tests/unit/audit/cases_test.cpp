// SPDX-License-Identifier: MIT
// The case studies of the paper, and other applications of the examples.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "audit/advise.h"
#include "audit/audit.h"
#include "level/library.h"
#include "program/load.h"
#include "support/effort.h"

namespace isomer::test {
namespace {

using audit::Verdict;
using Names = std::set<std::string>;

program::Program application(const std::string& name) {
  auto program = program::load_program(ISOMER_SOURCE_DIR "/examples/" + name);
  EXPECT_TRUE(program) << render(program.error());
  return *program;
}

const level::Level& level_named(const std::string& name) {
  return *level::standard_level(name);
}

struct Asked {
  std::string app;
  std::string level;
  std::uint32_t cycle_max = 4;
  bool prove = false;
  bool counters = false;
};

audit::Result audited(const Asked& asked) {
  const program::Program program = application(asked.app);
  audit::Options options;
  options.cycle_max = asked.cycle_max;
  options.prove = asked.prove;
  options.assume_counters = asked.counters;
  options.confirm = false;
  return audit::audit(program, audit::uniform_plan(program, level_named(asked.level)),
                      options);
}

// The sets of types that make anomalies of a kind.
std::set<Names> types_of(const std::string& app, const audit::Result& result,
                         const std::string& kind) {
  const program::Program program = application(app);
  std::set<Names> out;
  for (const audit::Anomaly& anomaly : result.anomalies) {
    if (anomaly.kind != kind) continue;
    Names names;
    for (const auto& transaction : anomaly.transactions)
      names.insert(program.types[transaction.type].name);
    out.insert(names);
  }
  return out;
}

constexpr const char* tpcc = "apps/tpcc/tpcc_by_district.sql";

TEST(Banking, loses_updates_below_psi) {
  for (const char* level : {"cerone:EC", "cerone:CC", "cerone:PC"})
    EXPECT_EQ(audited({"audit/withdraw.sql", level, 2}).verdict, Verdict::Anomalies)
        << level;
}

TEST(Banking, is_serializable_under_psi_by_shortest_paths) {
  for (const char* level : {"cerone:PSI", "anode:PSI"}) {
    const audit::Result result = audited({"audit/withdraw.sql", level, 4, true});
    EXPECT_EQ(result.verdict, Verdict::Serializable) << level;
    EXPECT_NE(result.proof.find("every path of 4"), std::string::npos) << result.proof;
  }
}

TEST(Tpcc, loses_updates_under_ec) {
  const audit::Result result = audited({tpcc, "cerone:EC", 2});
  const auto lost = types_of(tpcc, result, "lost update");
  EXPECT_TRUE(lost.contains({"new_order"}));
  EXPECT_TRUE(lost.contains({"payment"}));
}

TEST(Tpcc, has_long_forks_of_four_under_psi) {
  if (is_slow_build) GTEST_SKIP() << "takes long";
  for (const char* level : {"cerone:PSI", "anode:PSI"}) {
    EXPECT_EQ(audited({tpcc, level, 2, false, true}).verdict, Verdict::NoCycle) << level;
  }
  EXPECT_EQ(audited({tpcc, "cerone:PSI", 3, false, true}).verdict, Verdict::NoCycle);
  const audit::Result four = audited({tpcc, "cerone:PSI", 4, false, true});
  const auto forks = types_of(tpcc, four, "long fork");
  EXPECT_TRUE(forks.contains({"new_order", "payment", "order_status"}));
  EXPECT_TRUE(forks.contains({"new_order", "stock_level"}));
}

TEST(Tpcc, is_serializable_under_si_by_induction) {
  if (is_slow_build) GTEST_SKIP() << "takes long";
  const audit::Result result = audited({tpcc, "cerone:SI", 4, true, true});
  EXPECT_EQ(result.verdict, Verdict::Serializable) << result.unknown;
  EXPECT_EQ(result.proof, "by induction on {new_order, payment}, then {delivery}");
  EXPECT_FALSE(result.assumptions.empty());
}

TEST(Tpcc, is_not_without_the_assumption_on_counters) {
  EXPECT_EQ(audited({tpcc, "cerone:SI", 3}).verdict, Verdict::Anomalies);
}

TEST(Tpcc, loses_updates_and_forks_in_scenarios_that_run) {
  if (is_slow_build) GTEST_SKIP() << "takes minutes";
  const program::Program program = application(tpcc);
  const auto confirmed = [&](const char* level, std::uint32_t cycle_max) {
    audit::Options options;
    options.cycle_max = cycle_max;
    options.assume_counters = true;
    audit::Result result =
        audit::audit(program, audit::uniform_plan(program, level_named(level)), options);
    std::erase_if(result.anomalies, [](const audit::Anomaly& anomaly) {
      return anomaly.confirmation != audit::Confirmation::Confirmed;
    });
    return result;
  };
  const auto lost = types_of(tpcc, confirmed("cerone:EC", 2), "lost update");
  // That of new_order and delivery with a new_order beside it.
  for (const Names& names : {Names{"new_order"}, Names{"payment"}, Names{"delivery"},
                             Names{"payment", "delivery"}, Names{"new_order", "delivery"}})
    EXPECT_TRUE(lost.contains(names)) << *names.begin();
  const auto forks = types_of(tpcc, confirmed("cerone:PSI", 4), "long fork");
  EXPECT_TRUE(forks.contains({"new_order", "payment", "order_status"}));
}

TEST(Smallbank, has_its_known_anomaly_under_si) {
  const audit::Result result = audited({"apps/smallbank/smallbank.sql", "cerone:SI", 3});
  const auto found = types_of("apps/smallbank/smallbank.sql", result, "read-only anomaly");
  EXPECT_EQ(found, std::set<Names>{Names({"balance", "write_check", "transact_savings"})});
  EXPECT_EQ(audited({"apps/smallbank/smallbank.sql", "cerone:SER", 4}).verdict,
            Verdict::Serializable);
}

TEST(Confirmation, runs_into_the_write_skew) {
  const program::Program program = application("apps/simple_bank/simple_bank.sql");
  audit::Options options;
  options.cycle_max = 2;
  const audit::Result result = audit::audit(
      program, audit::uniform_plan(program, level_named("cerone:SI")), options);
  EXPECT_TRUE(std::any_of(
      result.anomalies.begin(), result.anomalies.end(), [](const audit::Anomaly& anomaly) {
        return anomaly.confirmation == audit::Confirmation::Confirmed &&
               !anomaly.scenario.empty() && anomaly.harm == audit::Harm::Found;
      }));
}

TEST(Registration, goes_wrong_in_the_three_known_ways_without_coordination) {
  const std::string app = "audit/registration.sql";
  const audit::Result result = audited({app, "cerone:EC", 2});
  std::set<Names> found = types_of(app, result, "lost update");
  found.merge(types_of(app, result, "write skew"));
  for (const Names& types :
       {Names{"enroll"}, Names{"add_course"}, Names{"add_student"},
        Names{"enroll", "remove_course"}, Names{"enroll", "remove_student"}})
    EXPECT_TRUE(found.contains(types)) << *types.begin();
}

// The [levels] of a scenario.
audit::Plan scenario_plan(const program::Program& program, const std::string& psi) {
  const auto named = [&](const std::string& word) {
    return level_named(word == "PSI" ? psi : "cerone:" + word);
  };
  audit::Plan out = audit::uniform_plan(program, named(program.levels.by_default));
  for (const auto& [type, word] : program.levels.types) {
    out.level_of[type] = static_cast<std::uint32_t>(out.levels.size());
    out.levels.push_back(named(word));
  }
  out.serial = program.levels.serial;
  return out;
}

TEST(Registration, has_a_long_fork_after_the_upgrades_that_no_run_shows_to_do_harm) {
  if (is_slow_build) GTEST_SKIP() << "takes minutes";
  const program::Program program = application("audit/upgraded.toml");
  const audit::Result result =
      audit::audit(program, scenario_plan(program, "cerone:PSI"), {});
  const std::set<Names> forks = types_of("audit/upgraded.toml", result, "long fork");
  EXPECT_TRUE(forks.contains({"add_course", "add_student", "enroll"}));
  const auto fork = std::find_if(
      result.anomalies.begin(), result.anomalies.end(), [](const audit::Anomaly& anomaly) {
        return anomaly.confirmation == audit::Confirmation::Confirmed;
      });
  ASSERT_NE(fork, result.anomalies.end());
  EXPECT_EQ(fork->kind, "long fork");
  EXPECT_EQ(fork->harm, audit::Harm::NoneFound);
  EXPECT_NE(fork->level.find("type \"enroll\""), std::string::npos) << fork->level;
  for (const audit::Anomaly& anomaly : result.anomalies)
    EXPECT_EQ(anomaly.harm, audit::Harm::NoneFound);
}

TEST(Registration, is_serializable_with_snapshots_by_shortest_paths) {
  if (is_slow_build) GTEST_SKIP() << "takes minutes";
  const program::Program program = application("audit/snapshot.toml");
  audit::Options options;
  options.prove = true;
  const audit::Result result =
      audit::audit(program, scenario_plan(program, "cerone:PSI"), options);
  EXPECT_EQ(result.verdict, Verdict::Serializable) << result.unknown;
  EXPECT_NE(result.proof.find("every path of 2"), std::string::npos) << result.proof;
}

TEST(Advice, is_enough_and_no_type_can_be_weaker) {
  const program::Program program = application("audit/withdraw.sql");
  const audit::Offer offer{.levels = {level_named("cerone:EC"), level_named("cerone:PSI"),
                                      level_named("cerone:SER")},
                           .names = {"EC", "PSI", "SER"}};
  const audit::AdviseResult result = audit::advise(program, offer, {});
  EXPECT_EQ(result.uniform, 1);
  ASSERT_TRUE(result.by_type);
  EXPECT_EQ(result.by_type->names, std::vector<std::string>{"PSI"});
  ASSERT_TRUE(result.by_serial_pairs);
  EXPECT_EQ(result.by_serial_pairs->plan.serial.size(), 1);
}

TEST(Levels, outside_visibility_and_arbitration_are_refused) {
  for (const char* level : {"biswas:RC", "biswas:SI", "adya:PL-3", "crooks:SI"})
    EXPECT_NE(audit::obstacle(level_named(level)), "") << level;
  for (const char* level : {"cerone:EC", "cerone:PC", "cerone:SI", "anode:PSI"})
    EXPECT_EQ(audit::obstacle(level_named(level)), "") << level;
}

}  // namespace
}  // namespace isomer::test
