// SPDX-License-Identifier: MIT
// The answers of the authors' program on its own traces and on runs of its workloads.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "history/formats.h"
#include "support/predict/against_brute_force.h"

namespace isomer::predict {
namespace {

const std::string corpus = ISOMER_SOURCE_DIR "/tests/corpus/predict/";

// The large ones are packed.
History trace(const std::string& file) {
  const bool is_packed = !std::filesystem::exists(corpus + file);
  auto read = history::read_history(corpus + file + (is_packed ? ".zst" : ""),
                                    {.format = "isopredict"});
  if (!read) ADD_FAILURE() << render(read.error());
  return read ? std::move(read->history) : History{};
}

struct Row {
  std::string file;
  check::Level level;
  Strategy strategy;
  std::string result;
};

std::vector<std::vector<std::string>> cells(const std::string& file) {
  std::vector<std::vector<std::string>> out;
  std::ifstream stream(corpus + file);
  std::string line;
  std::getline(stream, line);
  while (std::getline(stream, line)) {
    if (line.ends_with('\r')) line.pop_back();
    std::istringstream row(line);
    std::string cell;
    out.emplace_back();
    while (std::getline(row, cell, ','))
      out.back().push_back(cell);
  }
  return out;
}

// Without the rows for which the program found no answer in time.
std::vector<Row> recorded() {
  std::vector<Row> out;
  const auto add = [&](std::string file, const std::string& level,
                       const std::string& strategy, const std::string& result) {
    if (result == "sat" || result == "unsat")
      out.push_back({std::move(file), check::level_named(level).value(),
                     strategy_named(strategy).value(), result});
  };
  for (const auto& row : cells("micro.csv"))
    add(fmt::format("micro/{}", row.at(0)), row.at(1), row.at(2), row.at(3));
  for (const auto& row : cells("measured.csv"))
    add(fmt::format("{}/{}_{}.txt", row.at(1), row.at(0), row.at(2)), row.at(3), row.at(4),
        row.at(5));
  return out;
}

Result predicted(const std::string& file, check::Level level, Strategy strategy,
                 Boundary boundary = Boundary::Closed) {
  Result result =
      predict(trace(file),
              {.level = level, .strategy = strategy, .boundary = boundary, .budget = {}});
  const std::string what = fmt::format("{} {} {} {}", file, check::info(level).name,
                                       name(strategy), name(boundary));
  EXPECT_EQ(result.unknown, "") << what;
  EXPECT_EQ(result.is_complete, result.predictions.empty()) << what;
  for (const Prediction& prediction : result.predictions)
    EXPECT_EQ(flaw(prediction, level), "") << what;
  return result;
}

TEST(Recorded, answers_are_those_of_the_authors_program) {
  const std::vector<Row> rows = recorded();
  EXPECT_EQ(rows.size(), 74U);
  for (const Row& row : rows) {
    const Result result = predicted(row.file, row.level, row.strategy);
    EXPECT_EQ(result.predictions.empty() ? "unsat" : "sat", row.result)
        << row.file << ' ' << check::info(row.level).name << ' ' << name(row.strategy);
  }
}

TEST(Recorded, boundary_rules_differ) {
  const std::vector<std::pair<std::string, Strategy>> cases = {
      {"boundary/relaxed_causal.txt", Strategy::ApproxRelaxed},
      {"boundary/relaxed_causal.txt", Strategy::ExactRelaxed},
      {"boundary/strict_causal.txt", Strategy::ApproxStrict},
      {"boundary/strict_causal.txt", Strategy::ExactStrict}};
  for (const auto& [file, strategy] : cases) {
    const auto count = [&](Boundary boundary) {
      return predicted(file, check::Level::CC, strategy, boundary).predictions.size();
    };
    EXPECT_EQ(count(Boundary::Closed), 0U) << file << ' ' << name(strategy);
    EXPECT_EQ(count(Boundary::AppendixB), 1U) << file << ' ' << name(strategy);
  }
}

// What was wrong once (tests/corpus/predict/README.md).
TEST(Recorded, found_traces) {
  const auto count = [](const std::string& file, Boundary boundary) {
    const auto result = predicted(file, check::Level::CC, Strategy::ExactStrict, boundary);
    return result.predictions.size();
  };
  EXPECT_EQ(count("found/own_read_behind_boundary.txt", Boundary::AppendixB), 1U);
  EXPECT_EQ(count("found/own_read_of_cut_write.txt", Boundary::AppendixB), 1U);
}

// How many reads the best prediction changes; none: many.
std::size_t changes(const Result& result) {
  return result.predictions.empty() ? std::size_t{1000}
                                    : result.predictions.front()->changed.size();
}

TEST(Recorded, more_freedom_predicts_more) {
  for (const std::string file :
       {"micro/always_serial_2s4t.txt", "micro/always_serial_3s3t.txt",
        "micro/simple_causal_2s5t.txt", "boundary/strict_causal.txt",
        "small/smallbank_2.txt", "small/voter_1.txt", "small/tpcc_2.txt",
        "small/wikipedia_1.txt"})
    for (const check::Level level : {check::Level::CC, check::Level::RC}) {
      std::map<Strategy, std::size_t> best;
      for (const Strategy strategy : {Strategy::ExactStrict, Strategy::ApproxStrict,
                                      Strategy::ExactRelaxed, Strategy::ApproxRelaxed})
        best[strategy] = changes(predicted(file, level, strategy));
      EXPECT_LE(best[Strategy::ExactStrict], best[Strategy::ApproxStrict]) << file;
      EXPECT_LE(best[Strategy::ExactRelaxed], best[Strategy::ApproxRelaxed]) << file;
      EXPECT_LE(best[Strategy::ExactRelaxed], best[Strategy::ExactStrict]) << file;
      EXPECT_LE(best[Strategy::ApproxRelaxed], best[Strategy::ApproxStrict]) << file;
    }
}

}  // namespace
}  // namespace isomer::predict
