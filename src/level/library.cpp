// SPDX-License-Identifier: MIT
#include "level/library.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/text.h"
#include "level/language/elaborator.h"
#include "level/language/names.h"
#include "level/load.h"

namespace isomer::level {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::vector<Level> read_standard_levels() {
  const Program program = load_standard();
  Diagnostics errors;
  std::vector<Level> out;
  for (const Block& level : program.levels)
    out.push_back(elaborate_level(program, level, errors));
  if (!errors.empty()) fmt::print(stderr, "{}", render(errors));
  ISOMER_ASSERT(errors.empty());
  return out;
}

// The level of that name: "SI" or "cerone:SI".  Bare names prefer the frameworks in the
// order of the levels, which the library and a user's file both have as they want it.
const Level* find_level(std::span<const Level> levels, std::string_view name) {
  for (const Level& level : levels)
    if (is_same_name(level.name, name) || is_same_name(level.qualified_name(), name))
      return &level;
  return nullptr;
}

tl::unexpected<Diagnostics> fail(std::string_view file, std::string message) {
  return tl::unexpected(Diagnostics{diagnostic_of_file(file, std::move(message))});
}

std::vector<std::string> names_of(std::span<const Level> levels) {
  std::vector<std::string> out;
  for (const Level& level : levels)
    out.push_back(level.name);
  for (const Level& level : levels)
    out.push_back(level.qualified_name());
  return out;
}

std::string suggestion(std::string_view name, std::span<const Level> levels) {
  const auto meant = nearest(name, names_of(levels));
  return meant ? fmt::format("; did you mean '{}'?", *meant) : "";
}

// "mine.level" and "mine.level:MyLevel", which may be qualified itself.
struct FileAndName {
  std::string file;
  std::string name;  // empty: all
};

FileAndName split(std::string_view words) {
  constexpr std::string_view ending = ".level:";
  const std::size_t at = words.find(ending);
  if (at == std::string_view::npos) return {std::string(words), ""};
  return {std::string(words.substr(0, at + ending.size() - 1)),
          std::string(words.substr(at + ending.size()))};
}

Expected<std::vector<Level>> levels_of_file(const FileAndName& wanted) {
  const Expected<std::string> text = read_level_file(wanted.file);
  if (!text) return tl::unexpected(text.error());
  Expected<std::vector<Level>> levels = parse_levels(wanted.file, *text);
  if (!levels) return levels;
  if (levels->empty()) return fail(wanted.file, "this file defines no level");
  if (wanted.name.empty()) return levels;
  if (const Level* level = find_level(*levels, wanted.name))
    return std::vector<Level>{*level};
  return fail(wanted.file,
              fmt::format("this file defines no level '{}'{}", printable(wanted.name),
                          suggestion(wanted.name, *levels)));
}

}  // namespace

std::span<const Level> standard_levels() {
  static const std::vector<Level> levels = read_standard_levels();
  return levels;
}

const Level* standard_level(std::string_view name) {
  return find_level(standard_levels(), name);
}

Expected<std::vector<Level>> parse_levels(std::string_view file, std::string_view text) {
  Diagnostics errors;
  const Loaded loaded = load(file, text, errors);
  const Program& program = loaded.program;
  if (errors.empty()) check_names(program, errors);
  if (errors.size() > errors_max) errors.resize(errors_max);
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  std::vector<Level> out;
  for (const Block& framework : program.frameworks)
    if (!program.is_standard(framework.place))
      elaborate_framework(program, framework, errors);
  for (const Block& level : program.levels) {
    if (program.is_standard(level.place) || errors.size() >= errors_max) continue;
    Level made = elaborate_level(program, level, errors);
    if (level.place.source == loaded.user_source) out.push_back(std::move(made));
  }
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return out;
}

Expected<std::vector<Level>> levels_named(std::string_view name) {
  if (const Level* level = standard_level(name)) return std::vector<Level>{*level};
  if (name.ends_with(".level") || name.find(".level:") != std::string_view::npos)
    return levels_of_file(split(name));
  return fail(
      name, fmt::format("unknown level '{}'{}", name, suggestion(name, standard_levels())));
}

}  // namespace isomer::level
