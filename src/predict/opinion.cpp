// SPDX-License-Identifier: MIT
#include "predict/opinion.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/certify/certify.h"

namespace isomer::predict {
namespace {

bool is_serializable(const check::Result& result) {
  return std::ranges::any_of(result.levels, [](const check::LevelResult& answer) {
    return answer.level.built_in == check::Level::SER &&
           std::holds_alternative<check::Consistent>(answer.verdict);
  });
}

}  // namespace

check::Opinion second_opinion(const Prediction& prediction, const check::AskedLevel& level,
                              const Budget& budget) {
  check::Opinion out = check::second_opinion(prediction.history, level, budget);
  if (!out.contradiction.empty()) return out;
  if (is_serializable(out.levels))
    out.contradiction = "predicted to be unserializable, but its checker finds an order";
  if (const auto why =
          check::refute(prediction.history, check::Level::SER, prediction.violation))
    out.contradiction = fmt::format("the evidence of a prediction is wrong: {}", *why);
  return out;
}

}  // namespace isomer::predict
