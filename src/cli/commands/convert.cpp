// SPDX-License-Identifier: MIT
// isomer convert: the same history in another format.
#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "history/formats.h"

namespace isomer::cli {
namespace {

constexpr Option convert_options[] = {
    {.name = "--to",
     .argument = "F",
     .help = "The format to write.",
     .completes = Completes::Choices,
     .choices = writable_format_names,
     .is_required = true},
    format_option("The format of the file. Without it, it is detected from the content."),
    {.name = "--output",
     .argument = "OUT",
     .help = "Where to write; standard output without it.",
     .completes = Completes::Files,
     .short_name = "-o"},
    {.name = "file",
     .argument = "FILE",
     .help = "A history; '-' is standard input.",
     .completes = Completes::Files,
     .is_required = true},
};

constexpr Example convert_examples[] = {
    {"isomer convert --to dbcop examples/bank.hist", "a history for another checker"},
    {"isomer convert --to hist -o registers.hist examples/registers.txt",
     "a history that is pleasant to read"},
};

int run_convert(const Arguments& arguments) {
  OptionReader reader(arguments);
  reader.choice("--to", writable_format_names(), 0);
  reader.choice("--format", format_names(), 0);
  if (reader.error()) return usage_failure("convert", *reader.error());
  const std::string file = arguments.value("file");
  const tl::expected<history::ReadResult, Unread> input =
      read_history(arguments.budget(), file, arguments.value("--format"));
  if (!input) return refuse_input("convert", input.error(), {});
  print_warnings(file, input->warnings);
  return write_as("convert", input->history, arguments.value("--to"),
                  arguments.value("--output", "-"));
}

}  // namespace

int write_as(std::string_view command, const history::History& history,
             const std::string& format, const std::string& path) {
  const Expected<history::WriteResult> output = history::write_history(history, format);
  if (!output) {
    fmt::print(stderr, "{}", render(output.error()));
    return status_bad_input;
  }
  print_warnings(format, output->warnings);
  return write_bytes_or_complain(command, path, output->bytes);
}

constinit const Command convert_command = {
    .name = "convert",
    .purpose = "Prepare histories",
    .summary = "Write a history in another format",
    .synopsis = "--to F FILE [--format F] [-o OUT]",
    .description =
        "Reads a history in any known format and writes it in another one. What the other "
        "format cannot say is either refused or, where it does not change any verdict, "
        "dropped with a warning.",
    .options = convert_options,
    .examples = convert_examples,
    .run = run_convert,
};

}  // namespace isomer::cli
