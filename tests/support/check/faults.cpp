// SPDX-License-Identifier: MIT
#include "support/check/faults.h"

#include <utility>

#include <fmt/format.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "level/library.h"

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

AskedLevel as_text(std::string_view name) {
  level::Level definition = *level::standard_level(name);
  definition.file = "mine.level";
  return {std::string(name), std::move(definition)};
}

std::string disagreements(const History& history, bool explain) {
  const Result fast =
      uncertified_answers(history, {.levels = {all_levels.begin(), all_levels.end()},
                                    .budget = Budget(120.0),
                                    .explain = false});
  std::vector<AskedLevel> texts;
  for (const TextOfBuiltIn& text : texts_of_built_ins())
    texts.push_back(as_text(text.name));
  const Result slow = uncertified_answers(
      history, {.levels = texts, .budget = Budget(300.0), .explain = explain});
  std::string out;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const LevelResult& answer = slow.levels[i];
    const Level built_in = texts_of_built_ins()[i].level;
    const Verdict& expected = fast.levels[static_cast<std::size_t>(built_in)].verdict;
    if (answer.verdict.index() != expected.index())
      out += fmt::format("{}: {} by its text, {} by its checker\n", answer.level.name,
                         "+-?"[answer.verdict.index()], "+-?"[expected.index()]);
    std::optional<std::string> why;
    if (const auto* witness = std::get_if<Consistent>(&answer.verdict))
      why = refute(history, answer.level, *witness);
    else if (const auto* violation = std::get_if<Violated>(&answer.verdict);
             violation != nullptr && explain)
      why = refute(history, answer.level, *violation);
    if (why) out += fmt::format("{}: refuted: {}\n", answer.level.name, *why);
  }
  return out;
}

}  // namespace isomer::check
