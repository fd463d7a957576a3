// SPDX-License-Identifier: MIT
#include "litmus_corpus.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/litmus/litmus.h"
#include "support/command.h"

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

}  // namespace isomer::explore
