// SPDX-License-Identifier: MIT
#include "cli/database_level.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/input.h"
#include "database/level_name.h"
#include "program/database_only.h"

namespace isomer::cli {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

struct Meant {
  std::string_view level;
  std::string_view database_level;
};

// What people mean by the name of an abstract level when they have PostgreSQL in mind.
constexpr std::array meant_levels = {Meant{"RC", "pg:RC"}, Meant{"SI", "pg:RR"},
                                     Meant{"SER", "pg:SER"}};

std::vector<std::string_view> meant_by(const std::vector<std::string>& levels) {
  std::vector<std::string_view> out;
  for (const Meant& meant : meant_levels) {
    const auto is_it = [&](const std::string& level) {
      return std::string_view(level).substr(level.find(':') + 1) == meant.level;
    };
    if (std::ranges::any_of(levels, is_it)) out.push_back(meant.database_level);
  }
  if (out.empty()) out.emplace_back("pg:RC");
  return out;
}

// What the words mean at an abstract level.
std::string_view abstract_meaning(std::string_view words) {
  if (is_one_of(words, {"FOR UPDATE", "FOR NO KEY UPDATE"}))
    return "writes the row back as it is, and nobody waits for it";
  if (is_one_of(words, {"FOR SHARE", "FOR KEY SHARE"}))
    return "is a read as any other, and nobody waits for it";
  return "is checked against what a transaction sees, and not against all that is "
         "committed";
}

}  // namespace

std::string about_database_level(const std::string& command, const std::string& word) {
  const auto level = database::parse_level_name(word);
  if (!level) return level.error();
  const std::string name = database::short_name(*level);
  if (is_one_of(command, {"verify", "audit", "advise"}))
    return fmt::format(
        "{0} is a level of a database: such levels are explored (isomer explore --level "
        "{0}), and not yet proved",
        name);
  return fmt::format(
      "{} is a level of a database; 'isomer {}' is about the levels of the papers, which "
      "'isomer levels' lists",
      name, command);
}

Expected<program::Program> read_program_at_abstract_level(const Arguments& arguments,
                                                          const std::string& file) {
  Expected<program::Program> program = read_program(arguments.budget(), file);
  const bool names_others = arguments.has("--level") || arguments.has("--levels");
  if (!program || names_others || !database::has_database_levels(*program)) return program;
  const program::LevelAssignment& given = program->levels;
  return tl::unexpected(Diagnostics{
      diagnostic_in(*program, given.default_at.first,
                    about_database_level(arguments.command(), given.by_default))});
}

void warn_of_databases(const program::Program& program,
                       const std::vector<std::uint32_t>& types,
                       const std::vector<std::string>& levels, const Arguments& arguments) {
  const program::MeansMore found = program::means_more_in_databases(program, types);
  if (found.words.empty()) return;
  const auto [file, at] = program::place_of(program, found.at.first);
  fmt::print(stderr,
             "isomer {}: warning: at an abstract level {} ({}:{}) {}; for what a database "
             "does: --level {}\n",
             arguments.command(), found.words, file, at.line, abstract_meaning(found.words),
             fmt::join(meant_by(levels), ","));
}

}  // namespace isomer::cli
