// SPDX-License-Identifier: MIT
#include "cli/check_request.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/level_option.h"

namespace isomer::cli {
namespace {

void check_outputs(CheckRequest& request, OptionReader& reader) {
  std::vector<std::string> on_stdout;
  if (request.json) on_stdout.emplace_back("--json");
  if (request.dot == "-") on_stdout.emplace_back("--dot -");
  if (request.svg == "-") on_stdout.emplace_back("--svg -");
  if (request.html == "-") on_stdout.emplace_back("--html -");
  if (on_stdout.size() > 1)
    reader.fail(
        fmt::format("{} and {} both want standard output", on_stdout[0], on_stdout[1]));
  request.text = on_stdout.empty();
}

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
                       .timeout_s = reader.seconds("--timeout"),
                       .files = arguments.values("file"),
                       .format = arguments.value("--format"),
                       .json = arguments.has("--json"),
                       .witness = arguments.has("--witness"),
                       .certify = arguments.has("--certify"),
                       .dot = arguments.value("--dot"),
                       .svg = arguments.value("--svg"),
                       .html = arguments.value("--html"),
                       .command = command_typed(arguments)};
  reader.choice("--format", format_names(), 0);
  check_outputs(request, reader);
  check_files(request, reader);
  return request;
}

}  // namespace isomer::cli
