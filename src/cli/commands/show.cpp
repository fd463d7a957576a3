// SPDX-License-Identifier: MIT
// isomer show: a program as the engines see it.
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "program/print/print.h"
#include "report/program/report.h"

namespace isomer::cli {
namespace {

constexpr Option show_options[] = {
    json_option("Print one JSON document instead of text (docs/schema/show.schema.json)."),
    program_option(
        "An application (bank.sql), a scenario of one (bank.toml) or a litmus program "
        "(skew.txn)."),
};

constexpr Example show_examples[] = {
    {"isomer show examples/withdraw.toml", "what a scenario runs, and on which data"},
    {"isomer show --json examples/withdraw.sql", "an application for programs"},
};

int run_show(const Arguments& arguments) {
  const auto program = read_program(arguments.budget(), arguments.value("app"));
  const bool is_json = arguments.has("--json");
  if (!program) {
    if (is_json) write_bytes("-", report::program_json({}, program.error()));
    fmt::print(stderr, "{}", render(program.error()));
    return status_bad_input;
  }
  return write_bytes_or_complain(
      "show", "-", is_json ? report::program_json(*program, {}) : to_text(*program));
}

}  // namespace

constinit const Command show_command = {
    .name = "show",
    .purpose = "Run programs",
    .summary = "Show a program as it is understood: tables, transactions, sessions",
    .synopsis = "APP [--json]",
    .description =
        "Reads an application in PostgreSQL's SQL, a scenario or a litmus program "
        "(docs/PROGRAMS.md) and prints what all engines make of it: names resolved, types "
        "inferred, conversions written out. What is not supported is refused with its "
        "place, "
        "never ignored.",
    .options = show_options,
    .examples = show_examples,
    .run = run_show,
};

}  // namespace isomer::cli
