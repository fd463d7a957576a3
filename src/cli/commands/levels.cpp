// SPDX-License-Identifier: MIT
// isomer levels: which levels there are, and what each means.
#include "level/library.h"

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/database_level.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "database/level_name.h"
#include "report/levels/report.h"

namespace isomer::cli {
namespace {

constexpr Option levels_options[] = {
    json_option(
        "Print one JSON document instead of text (docs/schema/levels.schema.json)."),
    {.name = "name",
     .argument = "NAME",
     .help = "A level, such as SI, cerone:SI or PL-2.99, or one of your own: mine.level, "
             "mine.level:MyLevel. Without it, all standard levels are listed.",
     .completes = Completes::Files},
};

constexpr Example levels_examples[] = {
    {"isomer levels", "the levels that are built in"},
    {"isomer levels examples/isolde.level:NLU", "whether a text of your own is understood"},
};

std::string shown(std::span<const level::Level> levels, const Arguments& arguments) {
  const report::LevelsTextOptions text_options{.colour = is_output_colourful()};
  if (arguments.has("--json")) return report::levels_json(levels, {});
  if (!arguments.has("name"))
    return fmt::format(
        "{}\nisomer levels NAME shows a definition. A bare name is looked up from "
        "the top: SI is\nbiswas:SI, and cerone:SI names another.\n",
        report::level_list_text(levels, text_options));
  std::string out;
  for (const level::Level& level : levels) {
    if (!out.empty()) out += '\n';
    out += report::level_text(level, text_options);
  }
  return out;
}

int print(std::span<const level::Level> levels, const Arguments& arguments) {
  return write_bytes_or_complain("levels", "-", shown(levels, arguments));
}

int run_levels(const Arguments& arguments) {
  if (!arguments.has("name")) return print(level::standard_levels(), arguments);
  const Phase phase(arguments.budget(), "reading " + arguments.value("name"));
  const auto levels = level::levels_named(arguments.value("name"));
  if (levels) return print(*levels, arguments);
  if (!names_level_file(arguments.value("name")))
    return usage_failure("levels",
                         {database::names_database(arguments.value("name"))
                              ? about_database_level("levels", arguments.value("name"))
                              : unknown_level(arguments.value("name"))});
  if (arguments.has("--json")) write_bytes("-", report::levels_json({}, levels.error()));
  fmt::print(stderr, "{}", render(levels.error()));
  return status_bad_input;
}

}  // namespace

constinit const Command levels_command = {
    .name = "levels",
    .purpose = "Understand isolation levels",
    .summary = "List the levels, or show the definition of one",
    .synopsis = "[NAME] [--json]",
    .description =
        "Levels are short texts (docs/LEVELS.md), grouped by the framework that says what "
        "explains a history. With a name, prints the text of that level, what it rests on, "
        "and which standard levels it is known to imply.",
    .options = levels_options,
    .examples = levels_examples,
    .run = run_levels,
};

}  // namespace isomer::cli
