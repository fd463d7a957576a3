// SPDX-License-Identifier: MIT
#include "support/verify/against_explore.h"

#include "explore/explore.h"
#include "level/library.h"

namespace isomer::verify {
namespace {

std::string explored(const program::Program& program, const check::AskedLevel& level,
                     double seconds) {
  explore::Options options;
  options.level = level;
  options.find = explore::Find::Failing;
  options.minimise = false;
  options.budget = Budget(seconds);
  const explore::Result result = explore::explore(program, options);
  if (!result.is_complete) return "unknown";
  return result.assertion_failures > 0 ? "violated" : "holds";
}

std::string verified(const LevelAnswer& level) {
  std::string out = "holds";
  for (const Answer& answer : level.answers) {
    if (!answer.contradiction.empty()) return "contradiction: " + answer.contradiction;
    if (answer.verdict == Verdict::Violated) return "violated";
    if (answer.verdict == Verdict::Unknown) out = "unknown: " + answer.unknown;
  }
  return out;
}

}  // namespace

std::vector<check::AskedLevel> levels_to_compare() {
  std::vector<check::AskedLevel> out;
  for (const check::Level level : check::all_levels)
    out.emplace_back(level);
  for (const char* name : {"adya:PL-2", "cerone:UA"})
    out.emplace_back(name, *level::standard_level(name));
  return out;
}

Expected<std::vector<Compared>> compared_with_explore(
    const program::Program& program, const std::vector<check::AskedLevel>& levels,
    double seconds, Encoding encoding) {
  Options options;
  options.encoding = encoding;
  options.levels = levels;
  options.has_overflow = true;
  options.seconds_per_question = seconds;
  const auto result = verify(program, options);
  if (!result) return tl::unexpected(result.error());
  std::vector<Compared> out;
  for (std::size_t i = 0; i < levels.size(); ++i)
    out.push_back({.level = levels[i].name,
                   .explored = explored(program, levels[i], seconds),
                   .verified = verified(result->levels[i])});
  return out;
}

}  // namespace isomer::verify
