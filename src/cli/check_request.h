// SPDX-License-Identifier: MIT
// What `isomer check` was asked to do.
#pragma once

#include <string>
#include <vector>

#include "check/asked_level.h"
#include "cli/arguments.h"
#include "cli/documents.h"

namespace isomer::cli {

struct CheckRequest {
  std::vector<check::AskedLevel> levels;
  Budget budget;
  std::vector<std::string> files;
  std::string format;
  bool witness = false;
  bool certify = false;
  DocumentFiles results;
  std::string command;  // as typed, without the files
};

CheckRequest check_request_in(const Arguments& arguments, OptionReader& reader);

}  // namespace isomer::cli
