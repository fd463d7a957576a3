// SPDX-License-Identifier: MIT
#include "cli/check_request.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/level_argument.h"

namespace isomer::cli {
namespace {

void check_files(const CheckRequest& request, OptionReader& reader) {
  if (std::count(request.files.begin(), request.files.end(), "-") > 1)
    reader.fail("standard input ('-') can be read only once");
  for (const std::string& file : request.files)
    if (names_level_file(file))
      reader.fail(fmt::format("{} names a level file, not a history", file));
}

// Everything but the files, so that a hint can repeat it.
std::string command_typed(const Arguments& arguments) {
  std::string out = "isomer check";
  if (arguments.has("--level"))
    out += fmt::format(" --level {}", fmt::join(arguments.values("--level"), ","));
  if (arguments.has("--format")) out += " --format " + arguments.value("--format");
  return out;
}

}  // namespace

CheckRequest check_request_in(const Arguments& arguments, OptionReader& reader) {
  CheckRequest request{.levels = levels_in(arguments, reader),
                       .budget = arguments.budget(),
                       .files = arguments.values("file"),
                       .format = arguments.value("--format"),
                       .witness = arguments.has("--witness"),
                       .certify = arguments.has("--certify"),
                       .results = documents_in(arguments, reader),
                       .command = command_typed(arguments)};
  reader.choice("--format", format_names(), 0);
  check_files(request, reader);
  return request;
}

}  // namespace isomer::cli
