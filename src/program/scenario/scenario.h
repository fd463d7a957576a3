// SPDX-License-Identifier: MIT
// Scenarios, .toml files: which transactions of an application run, on which initial rows,
// and what must hold afterwards.
#pragma once

#include <string_view>

#include "program/ir.h"

namespace isomer::program {

struct NamedText {
  std::string_view file;
  std::string_view text;
};

// The application is read from beside `file`.
Expected<Program> parse_scenario(std::string_view file, std::string_view text);
// Of an application that is at hand.
Expected<Program> parse_scenario(const NamedText& scenario, const NamedText& application);

}  // namespace isomer::program
