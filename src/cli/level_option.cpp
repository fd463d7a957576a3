// SPDX-License-Identifier: MIT
#include "cli/level_option.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "report/wording.h"

namespace isomer::cli {
namespace {

using check::Level;

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

}  // namespace

bool names_level_file(const std::string& word) {
  return word.ends_with(".level") || word.find(".level:") != std::string::npos;
}

std::vector<Level> levels_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--level"))
    return {check::all_levels.begin(), check::all_levels.end()};
  std::vector<Level> out;
  for (const std::string& word : split_at_commas(arguments.values("--level"))) {
    if (names_level_file(word))
      reader.fail(
          fmt::format("--level {}: this version cannot read level files, it knows "
                      "the built-in levels {}",
                      report::printable(word), fmt::join(level_names(), ", ")));
    else if (const std::optional<Level> level = check::level_named(word))
      out.push_back(*level);
    else
      reader.fail(unknown_word("level", word, level_names()));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace isomer::cli
