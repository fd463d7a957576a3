// SPDX-License-Identifier: MIT
// isomer advise: the cheapest levels at which an application has no anomalies.
#include <fmt/format.h>

#include "audit/advise.h"
#include "cli/arguments.h"
#include "cli/audit_levels.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/database_level.h"
#include "cli/documents.h"
#include "cli/input.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "program/database_only.h"
#include "report/advise/report.h"

namespace isomer::cli {
namespace {

using program::Program;

std::vector<std::string> database_names() {
  return {"any", "postgresql"};
}

constexpr Option advise_options[] = {
    {.name = "--levels",
     .argument = "L,..",
     .takes = Takes::Many,
     .help = "The levels to choose from, the cheapest first (EC,CC,PSI,SI,SER).",
     .completes = Completes::Choices,
     .choices = audit_level_names},
    {.name = "--database",
     .argument = "D",
     .help = "'postgresql' offers REPEATABLE READ (SI) and SERIALIZABLE.",
     .completes = Completes::Choices,
     .choices = database_names},
    cycle_max_option,
    {.name = "--prove",
     .takes = Takes::Nothing,
     .help = "Try to prove that what is advised is enough for executions of any length."},
    assume_counters_option,
    conflict_granularity_option,
    json_option(
        "Print one JSON document instead of text (docs/schema/advise.schema.json)."),
    html_option("Write a page: types and levels, and what remains if nothing changes."),
    program_option("An SQL application (.sql), or a scenario (.toml) of one."),
};

constexpr Example examples[] = {
    {"isomer advise examples/audit/registration.sql",
     "which transactions of a university need which level"},
    {"isomer advise --database postgresql examples/apps/simple_bank/simple_bank.sql",
     "which must be SERIALIZABLE in PostgreSQL"},
};

audit::Offer offer_in(const Arguments& arguments, OptionReader& reader) {
  audit::Offer out;
  std::vector<std::string> words = split_at_commas(arguments.values("--levels"));
  if (reader.choice("--database", database_names(), 0) == 1) {
    for (const std::string& word : words)
      audit_level(word, reader);  // complains of READ COMMITTED
    if (!words.empty()) reader.fail("--database postgresql has its own levels");
    words = {"SI", "SER"};
    out.is_postgresql = true;
  }
  if (words.empty()) words = {"EC", "CC", "PSI", "SI", "SER"};
  for (const std::string& word : words) {
    const std::optional<level::Level> level = audit_level(word, reader);
    if (!level) return out;
    out.levels.push_back(*level);
    out.names.push_back(word);
  }
  if (out.is_postgresql) out.names = {"REPEATABLE READ", "SERIALIZABLE"};
  return out;
}

int status_of(const audit::AdviseResult& result) {
  if (!result.unknown.empty()) return status_undecided;
  return result.uniform ? status_nothing_found : status_found;
}

struct Request {
  audit::Options options;
  audit::Offer offer;
  DocumentFiles files;
  std::string command;
};

int advise_program(const Program& program, Request request) {
  audit::AdviseResult result;
  {
    Progress progress(request.options.budget, fmt::format("advising on {}", program.file));
    request.options.on_progress = [&](const std::string& how_far) {
      progress.tell(how_far);
    };
    result = audit::advise(program, request.offer, request.options);
  }
  const report::Advised advised{.program = program,
                                .offer = request.offer,
                                .options = request.options,
                                .result = result};
  const report::AdviseTextOptions text{
      .colour = is_output_colourful(),
      .command = request.files.html.empty() ? request.command : ""};
  const int status =
      write_documents("advise", request.files,
                      {.text = [&] { return report::advise_text(advised, text); },
                       .json = [&] { return report::advise_json(advised); },
                       .dot = [] { return std::string(); },
                       .html = [&] { return report::advise_html(advised); }});
  return status == status_nothing_found ? status_of(result) : status;
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  Request out;
  out.options = shared_audit_options_in(arguments, reader);
  out.offer = offer_in(arguments, reader);
  out.files = documents_in(arguments, reader);
  out.command = fmt::format("{} {}", command_typed("advise", advise_options, arguments),
                            arguments.value("app"));
  return out;
}

int run(const Arguments& arguments) {
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("advise", *reader.error());
  const Expected<Program> program =
      read_program_at_abstract_level(arguments, arguments.value("app"));
  const Diagnostics errors = program ? audit::obstacles(*program) : program.error();
  if (!errors.empty()) return refuse_input(errors, request.files);
  std::vector<std::string> levels;
  for (const level::Level& level : request.offer.levels)
    levels.push_back(level.name);
  warn_of_databases(*program, program::all_types(*program), levels, arguments);
  return advise_program(*program, request);
}

}  // namespace

constinit const Command advise_command = {
    .name = "advise",
    .purpose = "Prove programs correct",
    .summary = "The cheapest levels at which an SQL application has no anomalies",
    .synopsis = "APP [--levels L,..] [--database D] [--prove]",
    .description =
        "Audits an application at the levels that a database offers, and finds for each "
        "transaction type the weakest one such that the whole application has no "
        "anomalies, or the fewest pairs of types that would be enough to run serially. The "
        "cheapest: the fewest types changed, then the lowest sum of prices, where the "
        "price "
        "of a level is its place in the list.\n\n"
        "An axiom of a level is taken as the database's promise to the transactions that "
        "have the level. In PostgreSQL, SERIALIZABLE transactions are protected only from "
        "each other, and the others run at REPEATABLE READ; READ COMMITTED, whose "
        "statements do not share one snapshot, cannot be audited.\n\n"
        "The exit status is 1 if no level offered is enough for all types, which a run "
        "shows, "
        "and 3 if that was left open.",
    .options = advise_options,
    .examples = examples,
    .run = run,
};

}  // namespace isomer::cli
