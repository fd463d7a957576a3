// SPDX-License-Identifier: MIT
#include "support/predict/flaw.h"

#include "check/certify/certify.h"
#include "check/uncertified.h"

namespace isomer::predict {

std::string flaw(const Prediction& prediction, const check::AskedLevel& level) {
  const History& history = prediction.history;
  if (!history.problems().empty()) return "it has reads that no level allows";
  const check::Result result = check::uncertified_answers(
      history, {.levels = {level, check::Level::SER}, .budget = {}});
  const auto* allowed = std::get_if<check::Consistent>(&result.levels[0].verdict);
  if (allowed == nullptr) return "the level does not allow it";
  if (const auto why = check::refute(history, level, *allowed)) return *why;
  if (!std::holds_alternative<check::Violated>(result.levels[1].verdict))
    return "it is serializable";
  return check::refute(history, check::Level::SER, prediction.violation).value_or("");
}

}  // namespace isomer::predict
