// SPDX-License-Identifier: MIT
#include "cli/level_argument.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.h"
#include "cli/database_level.h"
#include "database/level_name.h"
#include "level/library.h"
#include "report/check/wording.h"

namespace isomer::cli {
namespace {

using check::AskedLevel;
using check::Level;

void refuse_level(const std::string& word, OptionReader& reader) {
  reader.fail(database::names_database(word) ? about_database_level(reader.command(), word)
                                             : unknown_level(word));
}

std::string several_levels(const std::string& word,
                           const std::vector<level::Level>& levels) {
  std::vector<std::string> choices;
  for (const level::Level& level : levels)
    choices.push_back(fmt::format("{}:{}", word, level.name));
  return fmt::format("{} defines {} levels, name one of them: {}", report::printable(word),
                     levels.size(), fmt::join(choices, ", "));
}

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
    refuse_level(word, reader);
  }
}

}  // namespace

std::vector<std::string> split_at_commas(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists)
    for (std::size_t start = 0; start <= list.size();) {
      const std::size_t comma = std::min(list.find(',', start), list.size());
      out.push_back(list.substr(start, comma - start));
      start = comma + 1;
    }
  return out;
}

bool names_level_file(const std::string& word) {
  return word.ends_with(".level") || word.find(".level:") != std::string::npos;
}

std::string unknown_level(const std::string& word) {
  const std::optional<std::string> meant = nearest(word, standard_level_names());
  return fmt::format("unknown level '{}'; {}'isomer levels' lists those there are",
                     report::printable(word),
                     meant ? fmt::format("did you mean {}? ", *meant) : "");
}

std::vector<NamedLevel> named_levels(const std::vector<std::string>& words,
                                     OptionReader& reader) {
  std::vector<NamedLevel> out;
  for (const std::string& word : split_at_commas(words)) {
    Expected<std::vector<level::Level>> levels = level::levels_named(word);
    if (!levels && names_level_file(word))
      reader.fail(levels.error());
    else if (!levels)
      refuse_level(word, reader);
    else if (levels->size() != 1)
      reader.fail(several_levels(word, *levels));
    else
      out.push_back({report::printable(word), std::move(levels->front())});
  }
  return out;
}

std::vector<std::string> names_of(const std::vector<NamedLevel>& levels) {
  std::vector<std::string> out;
  for (const NamedLevel& level : levels)
    out.push_back(level.name);
  return out;
}

std::vector<level::Level> texts_of(const std::vector<NamedLevel>& levels) {
  std::vector<level::Level> out;
  for (const NamedLevel& level : levels)
    out.push_back(level.level);
  return out;
}

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

std::vector<std::string> standard_level_names() {
  std::vector<std::string> out;
  for (const level::Level& level : level::standard_levels()) {
    if (level::standard_level(level.name) == &level) out.push_back(level.name);
    out.push_back(level.qualified_name());
  }
  return out;
}

}  // namespace isomer::cli
