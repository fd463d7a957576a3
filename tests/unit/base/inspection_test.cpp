// SPDX-License-Identifier: MIT
#include "base/inspection.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace isomer {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

TEST(Inspection, counts_from_several_threads) {
  Inspection inspection;
  const Budget budget = Budget().inspected_by(inspection);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 1000; ++j)
          count(budget, "steps");
      });
  }
  count(budget, "calls", 3);
  EXPECT_THAT(inspection.counters(), ElementsAre(Pair("calls", 3), Pair("steps", 4000)));
}

TEST(Inspection, nobody_need_look_on) {
  count(Budget(), "steps");
  const Phase phase(Budget(), "reading");
}

TEST(Inspection, is_carried_by_every_part_of_a_budget) {
  Inspection inspection;
  const Budget budget = Budget(1.0).inspected_by(inspection);
  EXPECT_EQ(budget.within(0.5).inspection(), &inspection);
  EXPECT_EQ(budget.last_moment(0.5).inspection(), &inspection);
}

TEST(Inspection, phases_are_in_the_order_in_which_they_began) {
  Inspection inspection;
  const Budget budget = Budget().inspected_by(inspection);
  EXPECT_EQ(inspection.activity(), "");
  for (int i = 0; i < 2; ++i) {
    const Phase outer(budget, "checking");
    const Phase inner(budget, "searching");
    EXPECT_EQ(inspection.activity(), "checking");
  }
  EXPECT_EQ(inspection.activity(), "preparing the answer");
  const auto phases = inspection.phases();
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[0].name, "checking");
  EXPECT_EQ(phases[0].times, 2U);
  EXPECT_EQ(phases[0].depth, 0U);
  EXPECT_EQ(phases[1].name, "searching");
  EXPECT_EQ(phases[1].depth, 1U);
  EXPECT_GE(phases[0].seconds, phases[1].seconds);
}

TEST(Inspection, a_phase_that_is_under_way_has_its_time_so_far) {
  Inspection inspection;
  const Phase phase(Budget().inspected_by(inspection), "waiting");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(inspection.phases().front().seconds, 0.02);
}

TEST(Inspection, logs_what_is_asked_for) {
  std::string lines;
  Inspection inspection(
      {.log = LogLevel::Info, .print = [&](std::string_view line) { lines += line; }});
  {
    const Phase phase(Budget().inspected_by(inspection), "reading");
  }
  inspection.log(LogLevel::Debug, "a detail");
  EXPECT_THAT(lines, HasSubstr("isomer: info: reading\n"));
  EXPECT_THAT(lines, HasSubstr("isomer: info: reading: done after 0."));
  EXPECT_THAT(lines, Not(HasSubstr("detail")));
}

std::string contents(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

TEST(Inspection, keeps_questions_with_their_words) {
  const std::filesystem::path folder = testing::TempDir() + "inspection_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  {
    Inspection inspection({.dump_folder = folder.string()});
    const Phase phase(Budget().inspected_by(inspection), "verifying bank.toml");
    inspection.tell("no overdraft at SI");
    for (int i = 0; i < 1002; ++i)
      inspection.add_question({.solver = "SAT",
                               .ending = "cnf",
                               .size = "1 variable",
                               .answer = "satisfiable",
                               .seconds = 0},
                              [] { return std::string("p cnf 1 0\n"); });
  }
  EXPECT_EQ(contents(folder / "0001-verifying-bank-toml.cnf"), "p cnf 1 0\n");
  EXPECT_TRUE(std::filesystem::exists(folder / "1000-verifying-bank-toml.cnf"));
  EXPECT_FALSE(std::filesystem::exists(folder / "1001-verifying-bank-toml.cnf"));
  const std::string index = contents(folder / "index.txt");
  EXPECT_TRUE(
      index.starts_with("0001-verifying-bank-toml.cnf: verifying bank.toml, no "
                        "overdraft at SI: SAT: 1 variable: satisfiable, 0.000 s\n"))
      << index.substr(0, 200);
  EXPECT_TRUE(index.ends_with("more questions were asked; the first 1000 are kept\n"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace isomer
