// SPDX-License-Identifier: MIT
#include "check/opinion.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/certify/certify.h"

namespace isomer::check {
namespace {

std::string contradiction(const History& history, const Result& result,
                          const std::optional<AskedLevel>& allowing) {
  for (const LevelResult& answer : result.levels) {
    if (const auto why = refute(history, answer)) return *why;
    if (allowing && answer.level == *allowing &&
        std::holds_alternative<Violated>(answer.verdict))
      return fmt::format(
          "the search says that {} allows a history, its checker that it does not",
          allowing->name);
  }
  return {};
}

}  // namespace

Opinion second_opinion(const History& history, const std::optional<AskedLevel>& allowing,
                       const Budget& budget) {
  Options options{.budget = budget};
  if (allowing && std::ranges::find(options.levels, *allowing) == options.levels.end())
    options.levels.push_back(*allowing);
  Opinion out{.levels = check(history, options), .contradiction = {}};
  out.contradiction = contradiction(history, out.levels, allowing);
  return out;
}

}  // namespace isomer::check
