// SPDX-License-Identifier: MIT
#include "programs.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/litmus/litmus.h"
#include "support/command.h"
#include "support/explore/draft.h"
#include "support/shrunk.h"

namespace isomer::explore {
namespace {

const std::filesystem::path folder = ISOMER_SOURCE_DIR "/tests/corpus/program";

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> out;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');)
    out.push_back(field);
  return out;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// The complaint about a program given as text; empty if there is none, or if the text is
// not a small program.
std::string complaint_of(const std::string& text, const Complaint& complaint) {
  constexpr std::size_t histories_max = 5000;
  const auto program = program::parse_litmus("shrunk.txn", text);
  if (!program) return {};
  const auto space = brute_force(*program, {.count_max = histories_max});
  return space ? complaint(*space) : std::string();
}

void expect_no_complaint_of_corpus(const Complaint& complaint) {
  const Program counterexample = litmus("swapped-counterexample");
  EXPECT_EQ(complaint(*brute_force(counterexample)), "");
  for (const auto& file :
       std::filesystem::directory_iterator(ISOMER_SOURCE_DIR "/tests/corpus/explore")) {
    if (file.path().extension() != ".txn") continue;
    const std::string text = test::contents(file.path());
    EXPECT_TRUE(program::parse_litmus(file.path().string(), text)) << file.path();
    EXPECT_EQ(complaint_of(text, complaint), "") << file.path();
  }
}

}  // namespace

program::Program litmus(const std::string& name) {
  auto program = program::parse_litmus(
      name, test::contents(folder / "litmus" / fmt::format("{}.txn", name)));
  EXPECT_TRUE(program) << name;
  return program ? *std::move(program) : program::Program{};
}

std::vector<KnownCounts> known_counts() {
  std::vector<KnownCounts> out;
  std::ifstream file(folder / "expected.csv");
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> columns = split(line);
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = split(line);
    KnownCounts& row = out.emplace_back();
    row.program = fields.at(0);
    for (std::size_t i = 1; i < fields.size(); ++i)
      if (is_number(fields[i])) row.counts[columns.at(i)] = std::stoull(fields[i]);
  }
  return out;
}

void expect_no_complaint(std::uint64_t count, const Complaint& complaint,
                         std::size_t histories_max) {
  expect_no_complaint_of_corpus(complaint);
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const RandomSpace random = random_space(seed, histories_max);
    if (complaint(random.space).empty()) continue;
    const Draft small = test::shrunk(random.draft, [&](const Draft& draft) {
      return !complaint_of(text(draft), complaint).empty();
    });
    FAIL() << "seed " << seed << ", cut down:\n"
           << text(small) << complaint_of(text(small), complaint);
  }
}

}  // namespace isomer::explore
