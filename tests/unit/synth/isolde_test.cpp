// SPDX-License-Identifier: MIT
// What the paper found, and what it should have found.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "check/uncertified.h"
#include "level/library.h"
#include "support/effort.h"
#include "support/files.h"
#include "synth/compare.h"
#include "unit/synth/problems.h"

namespace isomer::synth {

std::vector<Level> benchmark_levels(std::string_view names) {
  std::vector<Level> out;
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    const std::string name(names.substr(0, comma));
    names.remove_prefix(std::min(comma + 1, names.size()));
    const std::string base = name.substr(0, name.size() - 2);
    std::string full = (name.ends_with("_b") ? "biswas:" : "cerone:") + base;
    if (name.ends_with("_tap"))
      full = ISOMER_SOURCE_DIR "/tests/corpus/synth/patterns.level:" + name;
    if (base == "UpdateSer")
      full = ISOMER_SOURCE_DIR "/examples/isolde.level:" +
             (name.ends_with("_b") ? base : name);
    out.push_back(level::levels_named(full).value().at(0));
  }
  return out;
}

namespace {

using check::Consistent;
using check::Violated;

Level named(const std::string& name) {
  return level::levels_named(name).value().at(0);
}

Level example(const std::string& name) {
  return named(ISOMER_SOURCE_DIR "/examples/isolde.level:" + name);
}

Result search(const std::vector<Level>& allow, const std::vector<Level>& forbid,
              const Options& options = {}) {
  return synth(allow, forbid, options);
}

// The universe of the original.
Options as_original(std::uint32_t transactions) {
  Options options;
  options.scope = Scope{transactions, 5, 5};
  options.want = Want::Exact;
  options.allows_blind_writes = false;
  options.is_so_partial_order = true;
  return options;
}

constexpr std::uint32_t transactions_max = effort<std::uint32_t>(8, 5);

class Benchmark : public testing::TestWithParam<BenchmarkProblem> {};

TEST_P(Benchmark, has_the_answer_of_the_original) {
  const auto [allow, forbid, is_satisfiable] = GetParam();
  for (std::uint32_t transactions = 3; transactions <= transactions_max; ++transactions) {
    const bool is_long_fork = allow.starts_with("CC") && forbid.starts_with("PC");
    const bool expected = is_satisfiable && !(is_long_fork && transactions == 3);
    const Result result = search(benchmark_levels(allow), benchmark_levels(forbid),
                                 as_original(transactions));
    EXPECT_EQ(result.outcome, expected ? Outcome::Found : Outcome::None) << transactions;
  }
}

// The fast checkers know nothing of the search.
TEST_P(Benchmark, finds_histories_that_the_fast_checkers_confirm) {
  const auto [allow, forbid, is_satisfiable] = GetParam();
  if (!is_satisfiable) return;
  Options options;
  options.scope = Scope{5, 5, 5};
  options.want = Want::Exact;
  const Result result = search(benchmark_levels(allow), benchmark_levels(forbid), options);
  ASSERT_EQ(result.outcome, Outcome::Found);
  const auto verdict = [&](std::string_view name) {
    const std::string_view base = name.substr(0, name.find_first_of("_,"));
    const check::Result checked = check::uncertified_answers(
        result.found.front()->history,
        {.levels = {*check::level_named(base)}, .budget = {}, .explain = false});
    return std::holds_alternative<Consistent>(checked.levels[0].verdict);
  };
  if (allow != "RA_tap") {
    EXPECT_TRUE(verdict(allow));
  }
  EXPECT_FALSE(verdict(forbid));
}

std::string name_of(const testing::TestParamInfo<BenchmarkProblem>& problem) {
  return test::test_name(
      fmt::format("{}_not_{}", problem.param.allow, problem.param.forbid));
}

INSTANTIATE_TEST_SUITE_P(Isolde, Benchmark, testing::ValuesIn(benchmark), name_of);

struct Smallest {
  std::string allow;
  std::string forbid;
  Scope size;
};

TEST(Isolde, smallest_scopes_are_found) {
  const Smallest cases[] = {
      {"RA_b", "CC_c", {3, 1, 2}},
      {"CC_b", "PC_b", {4, 2, 2}},
      {"PC_c", "SI_b", {2, 1, 3}},
      {"SI_b", "SER_b", {2, 2, 2}},
      {"SI_b,UpdateSer_b", "SER_b", {3, 2, 2}},
      {"SI_c,UpdateSer_c", "SER_c", {3, 2, 2}},
      {"RA_tap", "RA_b", {2, 1, 2}},
      {"UA_c", "CC_c", {3, 1, 2}},
      {"CC_c", "UA_c", {2, 1, 3}},
      {"PSI_c", "SI_c", {4, 2, 2}},
      {"PSI_c", "PC_c", {4, 2, 2}},
      {"PC_c", "UA_c", {2, 1, 3}},
  };
  for (const Smallest& problem : cases) {
    Options options;
    options.allows_blind_writes = false;
    const Result result =
        search(benchmark_levels(problem.allow), benchmark_levels(problem.forbid), options);
    ASSERT_EQ(result.outcome, Outcome::Found) << problem.allow << " | " << problem.forbid;
    EXPECT_TRUE(result.is_smallest);
    EXPECT_EQ(result.found.front()->size, problem.size)
        << problem.allow << " | " << problem.forbid;
  }
}

std::string text(const History& history) {
  std::string out;
  for (std::uint32_t t = 1; t < history.txn_count(); ++t) {
    out += history.txn_name({t}) + ":";
    for (const history::Operation& operation : history.operations({t}))
      out += fmt::format(" {}({},{})", operation.kind == history::OpKind::Read ? "r" : "w",
                         history.key_name(operation.key), history.text(operation.value()));
    out += "\n";
  }
  return out;
}

TEST(Isolde, read_atomic_of_plume_is_weaker_than_read_atomic) {
  Options options;
  options.allows_blind_writes = false;
  const Result result = search({named("plume:RA")}, {named("RA")}, options);
  ASSERT_EQ(result.outcome, Outcome::Found);
  EXPECT_EQ(text(result.found.front()->history), "a/1: r(x,0) w(x,1)\na/2: r(x,0)\n");
  EXPECT_EQ(search({named("RA")}, {named("plume:RA")}).outcome, Outcome::None);
}

TEST(Isolde, causal_consistency_of_plume_is_causal_consistency) {
  EXPECT_EQ(compare(named("plume:CC"), named("CC"), {}).relationship,
            Relationship::Equivalent);
}

TEST(Isolde, a_reader_can_break_serializability_of_snapshots) {
  const Result result = search({named("SI"), example("UpdateSer")}, {named("SER")});
  ASSERT_EQ(result.outcome, Outcome::Found);
  EXPECT_EQ(result.found.front()->size.transactions, 3U);
}

TEST(Isolde, update_atomic_is_more_than_no_lost_update) {
  const Comparison comparison = compare(named("UA"), example("NLU"), {});
  EXPECT_EQ(comparison.relationship, Relationship::Stronger);
  ASSERT_TRUE(comparison.right_to_left.counterexample);
  EXPECT_EQ(comparison.right_to_left.counterexample.value()->size, (Scope{3, 2, 4}));
}

TEST(Isolde, the_frameworks_agree) {
  for (const std::string name : {"RA", "CC", "PC", "SI", "SER"}) {
    CompareOptions options;
    options.search.scope = Scope{5, 5, 5};
    EXPECT_EQ(
        compare(named("biswas:" + name), named("cerone:" + name), options).relationship,
        Relationship::Equivalent)
        << name;
  }
}

// The original demands an execution of the forbidden level's framework, so it misses
// histories that have none.
TEST(Isolde, histories_without_any_execution_are_found) {
  const std::pair<Level, Level> problems[] = {
      {benchmark_levels("RA_tap")[0], named("cerone:RA")},
      {example("TRUE"), named("cerone:CC")},
      {example("UpdateSer"), example("UpdateSer_c")},
  };
  for (const auto& [allow, forbid] : problems) {
    const Result result = search({allow}, {forbid});
    ASSERT_EQ(result.outcome, Outcome::Found) << allow.name << " | " << forbid.name;
    EXPECT_TRUE(result.found.front()->forbidden.front().has_no_execution);
  }
}

TEST(Isolde, read_committed_needs_single_reads) {
  EXPECT_EQ(compare(named("RC"), named("RA"), {}).relationship, Relationship::Weaker);
  const Comparison comparison = compare(named("RC"), named("plume:RC"), {});
  EXPECT_EQ(comparison.relationship, Relationship::Stronger);
  ASSERT_TRUE(comparison.right_to_left.counterexample);
  EXPECT_EQ(text(comparison.right_to_left.counterexample.value()->history),
            "a/1: w(x,1)\nb/1: r(x,1) r(x,0)\n");
}

// What is missing in the patterns is what the files add, no more and no less.
TEST(Isolde, the_patterns_of_plume_can_be_repaired) {
  CompareOptions options;
  options.search.scope = Scope{3, 2, 3};
  const std::string file = ISOMER_SOURCE_DIR "/examples/papers/isolde/plume.level:";
  EXPECT_EQ(compare(named("RC"), named(file + "RC_one_key"), options).relationship,
            Relationship::Equivalent);
  EXPECT_EQ(compare(named("RA"), named(file + "RA_repaired"), options).relationship,
            Relationship::Equivalent);
  EXPECT_EQ(compare(named("plume:RA"), named(file + "RA_repaired"), options).relationship,
            Relationship::Weaker);
}

// An order that extends what adya makes acyclic explains whatever crooks can.
TEST(Isolde, adya_and_crooks_agree_in_larger_scopes) {
  const std::pair<std::string, std::string> same[] = {{"adya:PL-2", "crooks:RC"},
                                                      {"adya:PL-2+", "crooks:PSI"},
                                                      {"adya:PL-SI", "crooks:SI"},
                                                      {"adya:PL-3", "crooks:SER"}};
  for (const auto& [adya, crooks] : same) {
    CompareOptions options;
    options.search.scope = Scope{effort<std::uint32_t>(6, 4), 3, 3};
    options.search.budget = Budget(60.0);
    EXPECT_EQ(compare(named(adya), named(crooks), options).relationship,
              Relationship::Equivalent)
        << adya;
  }
}

}  // namespace
}  // namespace isomer::synth
