// SPDX-License-Identifier: MIT
// From texts to a program: the standard library, a user's text, and what it includes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "level/language/syntax.h"

namespace isomer::level {

// The files under levels/, built into the binary.
struct StandardText {
  std::string_view file;
  std::string_view text;
};

std::span<const StandardText> standard_texts();

// The standard library alone.
Program load_standard();

// With a user's text, which is the source `user_source` of the program.  Complaints go to
// `errors`.
struct Loaded {
  Program program;
  std::uint32_t user_source = 0;
};

Loaded load(std::string_view file, std::string_view text, Diagnostics& errors);

// The text of a file, refused if it is too large for a level.
Expected<std::string> read_level_file(const std::string& path);

}  // namespace isomer::level
