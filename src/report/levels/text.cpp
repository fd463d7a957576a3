// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "level/known_order.h"
#include "report/ink.h"
#include "report/levels/report.h"

namespace isomer::report {
namespace {

using level::Level;

std::string witnesses(const Level& level) {
  std::vector<std::string> names;
  for (const level::Witness& witness : level.witnesses)
    names.push_back(witness.is_keyed ? witness.name + "[x]" : witness.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string relatives_line(std::string_view words, const std::vector<std::string>& names) {
  if (names.empty()) return "";
  constexpr std::size_t width = 92;
  std::string out;
  std::string line = fmt::format("{:<12}", words);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string word = names[i] + (i + 1 < names.size() ? "," : "");
    if (line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line = std::string(12, ' ');
    }
    line += " " + word;
  }
  return out + line + "\n";
}

}  // namespace

std::string level_list_text(std::span<const Level> levels,
                            const LevelsTextOptions& options) {
  const Ink ink(options.colour);
  std::string out;
  std::string_view framework;
  for (const Level& level : levels) {
    if (level.framework != framework) {
      out += fmt::format("{}{}  {}\n", framework.empty() ? "" : "\n",
                         ink.bold(level.framework),
                         ink.dim(fmt::format("explained by {}", witnesses(level))));
      framework = level.framework;
    }
    out += fmt::format("  {:<9} {}\n", level.name, level.title);
  }
  return out;
}

std::string level_text(const Level& level, const LevelsTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = fmt::format("{}{}\n\n", ink.bold(level.qualified_name()),
                                level.title.empty() ? "" : ": " + level.title);
  out += fmt::format("{}\n\n{}\n", level.context, level.text);
  if (!level.file.empty()) return out;
  const level::Relatives relatives = level::relatives_of(level.qualified_name());
  const std::string lines = relatives_line("the same as", relatives.equivalent) +
                            relatives_line("implies", relatives.implied) +
                            relatives_line("implied by", relatives.implied_by);
  return lines.empty() ? out : out + "\n" + lines;
}

}  // namespace isomer::report
