// SPDX-License-Identifier: MIT
#include "check/library_levels.h"

#include <algorithm>

#include "base/budget.h"
#include "check/generic/generic.h"
#include "level/known_order.h"
#include "level/library.h"

namespace isomer::check {
namespace {

// Nobody asked for these answers, so they must not take long.  The number keeps them the
// same on every machine, as far as it can.
constexpr std::uint32_t transactions_max = 60;
constexpr double seconds_max = 5;

bool is_forbidden_by_rc(const std::vector<LevelResult>& answers) {
  return std::ranges::any_of(answers, [](const LevelResult& answer) {
    return answer.level.built_in == Level::RC &&
           std::holds_alternative<Violated>(answer.verdict);
  });
}

bool is_allowed_by_any(const std::vector<LevelResult>& answers) {
  return std::ranges::any_of(answers, [](const LevelResult& answer) {
    return std::holds_alternative<Consistent>(answer.verdict);
  });
}

LevelResult answer_of(const History& history, const AskedLevel& level,
                      const Budget& budget) {
  const Stopwatch watch;
  LevelResult result{level, Unknown{}, 0, {}};
  result.verdict =
      answer_from_text(history, *level.definition, {budget, true}, result.stats);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace

std::vector<AskedLevel> levels_beside_rc() {
  std::vector<AskedLevel> out;
  for (const level::Level& level : level::standard_levels()) {
    AskedLevel asked(level.qualified_name(), level);
    if (!asked.built_in && !level::is_known_to_imply(asked.name, "biswas:RC"))
      out.push_back(std::move(asked));
  }
  return out;
}

std::vector<LevelResult> answers_beside_rc(const History& history,
                                           const std::vector<LevelResult>& asked,
                                           const Budget& budget) {
  if (!is_forbidden_by_rc(asked) || is_allowed_by_any(asked)) return {};
  if (history.txn_count() > transactions_max) return {};
  const Budget brief = budget.within(seconds_max);
  std::vector<LevelResult> out;
  for (const AskedLevel& level : levels_beside_rc()) {
    const bool is_asked = std::ranges::any_of(asked, [&](const LevelResult& answer) {
      return answer.level.definition &&
             answer.level.definition->qualified_name() == level.name &&
             answer.level.definition->file.empty();
    });
    if (!is_asked) out.push_back(answer_of(history, level, brief));
  }
  return out;
}

}  // namespace isomer::check
