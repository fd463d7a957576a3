// SPDX-License-Identifier: MIT
#include "cli/level_option.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/level_argument.h"
#include "level/library.h"
#include "report/check/wording.h"

namespace isomer::cli {
namespace {

using check::AskedLevel;
using check::Level;

// A file that defines several levels stands for each of them.
std::string name_of(const std::string& word, const level::Level& level, std::size_t count) {
  if (!names_level_file(word))
    return word.find(':') == std::string::npos ? level.name : level.qualified_name();
  return count == 1 ? word : fmt::format("{}:{}", word, level.name);
}

void add(const std::string& word, std::vector<AskedLevel>& out, OptionReader& reader) {
  const Expected<std::vector<level::Level>> levels = level::levels_named(word);
  if (levels) {
    for (const level::Level& level : *levels)
      out.emplace_back(name_of(word, level, levels->size()), level);
  } else if (names_level_file(word)) {
    reader.fail(levels.error());
  } else {
    reader.fail(unknown_level(word));
  }
}

}  // namespace

std::vector<AskedLevel> levels_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--level"))
    return {check::all_levels.begin(), check::all_levels.end()};
  std::vector<Level> built_in;
  std::vector<AskedLevel> others;
  for (const std::string& word : split_at_commas(arguments.values("--level"))) {
    if (const std::optional<Level> level = check::level_named(word))
      built_in.push_back(*level);
    else
      add(word, others, reader);
  }
  std::sort(built_in.begin(), built_in.end());
  std::vector<AskedLevel> out;
  const auto add_once = [&](const AskedLevel& level) {
    if (std::find(out.begin(), out.end(), level) == out.end()) out.push_back(level);
  };
  for (const Level level : built_in)
    add_once(level);
  for (const AskedLevel& level : others)
    add_once(level);
  return out;
}

std::optional<AskedLevel> level_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--level")) return std::nullopt;
  const std::vector<AskedLevel> levels = levels_in(arguments, reader);
  if (levels.size() == 1) return levels.front();
  if (!reader.error())
    reader.fail(fmt::format("one level at a time, not {}", report::list(levels)));
  return std::nullopt;
}

}  // namespace isomer::cli
