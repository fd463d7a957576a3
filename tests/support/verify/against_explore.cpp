// SPDX-License-Identifier: MIT
#include "support/verify/against_explore.h"

#include <algorithm>

#include <fmt/format.h>

#include "explore/explore.h"
#include "level/library.h"
#include "program/machine/evaluate.h"
#include "program/machine/keys.h"
#include "program/machine/serial.h"

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
  options.budget = Budget(seconds * static_cast<double>(options.levels.size()));
  const auto result = verify(program, options);
  if (!result) return tl::unexpected(result.error());
  std::vector<Compared> out;
  for (std::size_t i = 0; i < levels.size(); ++i)
    out.push_back({.level = levels[i].name,
                   .explored = explored(program, levels[i], seconds),
                   .verified = verified(result->levels[i])});
  return out;
}

namespace {

bool is_true(const program::Value& value) {
  const auto* truth = value.get_if<bool>();
  return truth != nullptr && *truth;
}

bool holds_at_the_start(const program::Program& program, const program::Select& query) {
  const auto found =
      program::query_database(program, query, program::initial_database(program));
  const auto* rows = std::get_if<0>(&found);
  return rows != nullptr && rows->size() == 1 && is_true(rows->front().front());
}

bool satisfies_assumptions(const program::Program& program) {
  for (const std::uint32_t index : program.initial_invariants)
    if (!holds_at_the_start(program, *program.invariants[index].query)) return false;
  return std::ranges::all_of(program.assumptions, [](const program::Assumption& assumed) {
    program::Context context;
    return is_true(program::evaluate(*assumed.condition, nullptr, context)) &&
           !context.fault;
  });
}

std::string shown_rows(const program::Program& program) {
  std::string out;
  for (const auto& [key, row] : program::initial_database(program))
    out += fmt::format(" {} = {}", key, program::to_text(row));
  for (const program::Session& session : program.sessions)
    for (const program::Call& call : session.calls)
      out += " " + call.text;
  return out;
}

}  // namespace

Expected<Opened> compared_with_instances(const program::Program& open,
                                         const std::vector<program::Program>& instances,
                                         const check::AskedLevel& level, double seconds) {
  Options options;
  options.levels = {level};
  options.has_overflow = true;
  options.rows_max = 2;  // as many as instances add
  options.seconds_per_question = seconds;
  options.budget = Budget(seconds * static_cast<double>(options.levels.size()));
  const auto result = verify(open, options);
  if (!result) return tl::unexpected(result.error());
  const std::string found = verified(result->levels.front());
  Opened out;
  out.is_violated = found == "violated";
  out.is_unknown = found.starts_with("unknown");
  if (found.starts_with("contradiction")) out.wrong = found;
  for (const Answer& answer : result->levels.front().answers)
    if (answer.counterexample &&
        explored(answer.counterexample->program, level, seconds) == "holds")
      out.wrong += fmt::format("explore does not break '{}' with{}\n", answer.invariant,
                               shown_rows(answer.counterexample->program));
  for (const program::Program& instance : instances) {
    if (!satisfies_assumptions(instance)) continue;
    const std::string answer = explored(instance, level, seconds);
    if (answer == "unknown") continue;
    ++out.instances;
    if (answer == "violated" && found == "holds" && out.wrong.empty())
      out.wrong = fmt::format("verify says holds, explore breaks{}", shown_rows(instance));
  }
  return out;
}

}  // namespace isomer::verify
