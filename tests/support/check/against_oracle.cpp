// SPDX-License-Identifier: MIT
#include "support/check/against_oracle.h"

#include <fmt/format.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"

namespace isomer::check {
namespace {

// What is wrong with the answer; empty if nothing.
std::string fault(const History& history, const LevelResult& result, bool is_allowed) {
  if (const auto* unknown = std::get_if<Unknown>(&result.verdict))
    return "unknown: " + unknown->reason;
  if (const auto* witness = std::get_if<Consistent>(&result.verdict)) {
    if (!is_allowed) return "found consistent, but the oracle forbids it";
    if (const auto refutation = refute(history, result.level, *witness))
      return "refuted witness: " + *refutation;
    return "";
  }
  if (is_allowed) return "found violated, but the oracle allows it";
  const auto& violation = std::get<Violated>(result.verdict);
  if (const auto refutation = refute(history, result.level, violation))
    return "refuted violation: " + *refutation;
  return "";
}

}  // namespace

std::string faults(const Log& log, const AllowedLevels& is_allowed) {
  const History history = history_of(log);
  Question options;
  options.budget = Budget(60.0);  // a search that does not end is a fault, too
  std::string all;
  for (const LevelResult& result : uncertified_answers(history, options).levels) {
    const auto level = static_cast<std::size_t>(*result.level.built_in);
    const std::string found = fault(history, result, is_allowed[level]);
    if (!found.empty()) all += fmt::format("{}: {}\n", result.level.name, found);
  }
  return all;
}

}  // namespace isomer::check
