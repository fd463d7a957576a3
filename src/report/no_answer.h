// SPDX-License-Identifier: MIT
// What kept a command from an answer, for programs.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace isomer::report {

// What was wrong with the input.
std::string errors_json(const Diagnostics& errors);

// A limit, and what the command was doing.
struct Undecided {
  std::string reason;    // "timeout", "memory" or "interrupted"
  std::string activity;  // "reading bank.hist"; may be empty
  double seconds = 0;    // since the start
};

// The document of a command that has no other answer; what its schema asks of every answer
// is there, and says that nothing is known.
std::string undecided_json(std::string_view command, const Undecided& undecided);

}  // namespace isomer::report
