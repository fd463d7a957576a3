// SPDX-License-Identifier: MIT
#include "support/check/against_texts.h"

#include <utility>

#include <fmt/format.h>

#include "check/certify/certify.h"
#include "check/uncertified.h"
#include "level/library.h"

namespace isomer::check {

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
