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
#include "report/database/report.h"
#include "report/levels/report.h"

namespace isomer::cli {
namespace {

constexpr Option levels_options[] = {
    json_option(
        "Print one JSON document instead of text (docs/schema/levels.schema.json)."),
    {.name = "name",
     .argument = "NAME",
     .help = "A level, such as SI, cerone:SI or PL-2.99, one of a database, pg:RC, or one "
             "of your own: mine.level, mine.level:MyLevel. Without it, all standard levels "
             "are listed.",
     .completes = Completes::Files},
};

constexpr Example levels_examples[] = {
    {"isomer levels pg:RC", "what PostgreSQL does at READ COMMITTED, rule by rule"},
    {"isomer levels examples/isolde.level:NLU", "whether a text of your own is understood"},
};

std::string shown(std::span<const level::Level> levels, const Arguments& arguments) {
  const report::LevelsTextOptions text_options{.colour = is_output_colourful()};
  const std::vector<database::DatabaseLevel> of_databases =
      arguments.has("name") ? std::vector<database::DatabaseLevel>()
                            : database::database_levels();
  if (arguments.has("--json")) return report::levels_json({levels, of_databases}, {});
  if (!arguments.has("name"))
    return fmt::format(
        "{}\n{}\nisomer levels NAME shows a definition, or the rules of a database's "
        "level. A "
        "bare name is\nlooked up from the top: SI is biswas:SI, and cerone:SI names "
        "another.\n",
        report::level_list_text(levels, text_options),
        report::database_list_text(of_databases, is_output_colourful()));
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
  if (database::names_database(arguments.value("name")))
    return show_rules(arguments.value("name"), arguments);
  if (!names_level_file(arguments.value("name")))
    return usage_failure("levels", {unknown_level(arguments.value("name"))});
  if (arguments.has("--json"))
    write_bytes("-", report::levels_json({.texts = {}}, levels.error()));
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
        "and which standard levels it is known to imply. Of a level of a database, tells "
        "the "
        "rules of its model, each with the smallest run that shows it.",
    .options = levels_options,
    .examples = levels_examples,
    .run = run_levels,
};

}  // namespace isomer::cli
