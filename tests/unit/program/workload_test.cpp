// SPDX-License-Identifier: MIT
#include "program/scenario/scenario.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isomer::program {
namespace {

Program program_with(
    std::vector<std::tuple<std::string, std::uint32_t, std::vector<std::string>>> entries) {
  Program program;
  for (auto& [name, weight, texts] : entries) {
    WorkloadType entry;
    entry.type = static_cast<std::uint32_t>(program.types.size());
    entry.weight = weight;
    for (const std::string& text : texts)
      entry.arguments.push_back(parse_draw(text, entry.arguments).value());
    program.types.emplace_back().name = name;
    program.workload.push_back(std::move(entry));
  }
  return program;
}

TEST(workload, has_three_sessions_of_four_or_eight) {
  const Program program = program_with({{"f", 1, {}}});
  const auto small = workload_calls(program, WorkloadSize::Small, 1);
  const auto large = workload_calls(program, WorkloadSize::Large, 1);
  EXPECT_THAT(small, testing::SizeIs(3));
  EXPECT_THAT(small, testing::Each(testing::SizeIs(4)));
  EXPECT_THAT(large, testing::SizeIs(3));
  EXPECT_THAT(large, testing::Each(testing::SizeIs(8)));
}

TEST(workload, is_decided_by_its_seed) {
  const Program program =
      program_with({{"f", 1, {"int(1, 1000)", "arg(1)"}}, {"g", 1, {"name()"}}});
  const auto once = workload_calls(program, WorkloadSize::Large, 5);
  EXPECT_EQ(once, workload_calls(program, WorkloadSize::Large, 5));
  EXPECT_NE(once, workload_calls(program, WorkloadSize::Large, 6));
}

TEST(workload, is_the_same_on_every_machine) {
  const Program program =
      program_with({{"f", 3, {"int(1, 1000)", "arg(1)"}}, {"g", 1, {"name()", "null"}}});
  const auto calls = workload_calls(program, WorkloadSize::Small, 42);
  EXPECT_THAT(calls[0], testing::ElementsAre("f(160, 160)", "f(345, 345)", "f(869, 869)",
                                             "f(801, 801)"));
}

TEST(workload, weights_decide_how_often) {
  const Program program = program_with({{"f", 0, {}}, {"g", 3, {}}, {"h", 1, {}}});
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const auto& session : workload_calls(program, WorkloadSize::Large, seed))
      for (const std::string& call : session)
        ++counts[call];
  EXPECT_EQ(counts["f()"], 0);
  EXPECT_NEAR(counts["g()"], 1800, 100);
  EXPECT_NEAR(counts["h()"], 600, 100);
}

TEST(workload, fresh_is_fresh_over_all_sessions) {
  const Program program = program_with({{"f", 1, {"fresh(1)"}}, {"g", 1, {"fresh(1)"}}});
  std::multiset<std::string> calls;
  for (const auto& session : workload_calls(program, WorkloadSize::Large, 3))
    calls.insert(session.begin(), session.end());
  for (const std::string& call : calls)
    EXPECT_EQ(calls.count(call), 1U) << call;
}

TEST(workload, without_weights_there_is_none) {
  EXPECT_TRUE(workload_calls(program_with({{"f", 0, {}}}), WorkloadSize::Small, 1).empty());
  EXPECT_TRUE(workload_calls(Program{}, WorkloadSize::Small, 1).empty());
}

}  // namespace
}  // namespace isomer::program
