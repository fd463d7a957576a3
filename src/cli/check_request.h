// SPDX-License-Identifier: MIT
// What `isomer check` was asked to do.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/asked_level.h"
#include "cli/arguments.h"

namespace isomer::cli {

// How standard input is called in what we print.
inline constexpr const char* stdin_name = "<stdin>";

struct CheckRequest {
  std::vector<check::AskedLevel> levels;
  std::optional<double> timeout_s;
  std::vector<std::string> files;
  std::string format;
  bool json = false;
  bool witness = false;
  bool certify = false;
  bool text = true;  // off if standard output is taken
  std::string dot;   // files for pictures, empty if not wanted
  std::string svg;
  std::string html;
  std::string command;  // as typed, without the files
};

CheckRequest check_request_in(const Arguments& arguments, OptionReader& reader);

}  // namespace isomer::cli
