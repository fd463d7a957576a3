// SPDX-License-Identifier: MIT
// Levels as arguments: --level as every command understands it, and the texts of levels for
// the commands that work on them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/asked_level.h"
#include "cli/arguments.h"
#include "level/level.h"

namespace isomer::cli {

// The words of lists with commas.
std::vector<std::string> split_at_commas(const std::vector<std::string>& lists);

bool names_level_file(const std::string& word);  // "mine.level", "mine.level:MyLevel"

// The complaint about a word that names no level.
std::string unknown_level(const std::string& word);

struct NamedLevel {
  std::string name;  // as the person called it
  level::Level level;
};

// One level for each word, or for each part of a list with commas.
std::vector<NamedLevel> named_levels(const std::vector<std::string>& words,
                                     OptionReader& reader);

std::vector<std::string> names_of(const std::vector<NamedLevel>& levels);
std::vector<level::Level> texts_of(const std::vector<NamedLevel>& levels);

// The levels of --level, each once: the built-in ones first, weakest first, then the others
// as they were named.  The built-in ones if none is named.
std::vector<check::AskedLevel> levels_in(const Arguments& arguments, OptionReader& reader);

// The one level of --level; absent if none is named.
std::optional<check::AskedLevel> level_in(const Arguments& arguments, OptionReader& reader);

// "SI", "cerone:SI": what completion offers.
std::vector<std::string> standard_level_names();

}  // namespace isomer::cli
