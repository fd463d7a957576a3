// SPDX-License-Identifier: MIT
#include "predict/opinion.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/certify.h"

namespace isomer::predict {
namespace {

using check::AskedLevel;
using check::LevelResult;

// What contradicts the prediction in a checker's answer; empty if nothing does.
std::string contradiction(const History& history, const LevelResult& result,
                          const AskedLevel& level) {
  if (const auto why = check::refute(history, result)) return *why;
  if (result.level == level && std::holds_alternative<check::Violated>(result.verdict))
    return fmt::format("predicted for {}, but its checker forbids it", level.name);
  if (result.level.built_in == check::Level::SER &&
      std::holds_alternative<check::Consistent>(result.verdict))
    return "predicted to be unserializable, but its checker finds an order";
  return {};
}

}  // namespace

Opinion second_opinion(const Prediction& prediction, const AskedLevel& level,
                       const Budget& budget) {
  check::Options options{.levels = {check::all_levels.begin(), check::all_levels.end()},
                         .budget = budget};
  if (std::ranges::find(options.levels, level) == options.levels.end())
    options.levels.push_back(level);
  Opinion out{.levels = check::check(prediction.history, options), .contradiction = {}};
  if (const auto why =
          check::refute(prediction.history, check::Level::SER, prediction.violation))
    out.contradiction = fmt::format("the evidence of a prediction is wrong: {}", *why);
  for (const LevelResult& result : out.levels.levels)
    if (out.contradiction.empty())
      out.contradiction = contradiction(prediction.history, result, level);
  return out;
}

}  // namespace isomer::predict
