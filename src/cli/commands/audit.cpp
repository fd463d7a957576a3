// SPDX-License-Identifier: MIT
// isomer audit: can transactions of an application, however many, be unserializable?
#include <filesystem>

#include <fmt/format.h>

#include "audit/audit.h"
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
#include "program/scenario/write.h"
#include "report/audit/words.h"

namespace isomer::cli {
namespace {

using audit::Plan;
using program::Program;

std::vector<std::string> reads_names() {
  return {"relevant", "scanned"};  // as audit::Reads
}

constexpr Option audit_options[] = {
    {.name = "--level",
     .argument = "L",
     .takes = Takes::Many,
     .help = "The level of all transactions: EC, CC, PC, PSI, SI, SER, or a level file of "
             "visibility and arbitration. Without it the scenario's [levels], else all of "
             "these.",
     .completes = Completes::Choices,
     .choices = audit_level_names},
    cycle_max_option,
    {.name = "--prove",
     .takes = Takes::Nothing,
     .help = "Where there is no cycle up to K, try to prove that there is none of any "
             "length."},
    {.name = "--no-confirm",
     .takes = Takes::Nothing,
     .help = "Report what the solver finds without running it."},
    {.name = "--ignore-harmless",
     .takes = Takes::Nothing,
     .help = "Leave out anomalies that are proved to do no harm: some serial order always "
             "gives the same final state and the same results. Those of which only no "
             "harmful run was found stay."},
    {.name = "--scenario-out",
     .argument = "DIR",
     .help = "Write a scenario for each confirmed anomaly, for 'isomer explore'.",
     .completes = Completes::Files},
    assume_counters_option,
    conflict_granularity_option,
    {.name = "--reads",
     .argument = "R",
     .help =
         "What a statement depends on: the records that are relevant to its result (the "
         "default), or all that are scanned, as 'isomer explore' counts them.",
     .completes = Completes::Choices,
     .choices = reads_names},
    json_option("Print one JSON document instead of text (docs/schema/audit.schema.json)."),
    html_option("Write a page: each anomaly with its picture, its SQL and a run of it."),
    svg_option,
    dot_option,
    program_option(
        "An SQL application (.sql), or a scenario (.toml) of one for its [levels]."),
};

constexpr Example examples[] = {
    {"isomer audit --level SI examples/apps/smallbank/smallbank.sql",
     "what snapshot isolation lets happen in a small bank"},
    {"isomer audit --level PSI --prove examples/audit/withdraw.sql",
     "a proof that parallel snapshot isolation is enough for one transaction"},
};

struct Request {
  audit::Options options;
  report::AuditTextOptions text;
  DocumentFiles files;
  std::string scenarios;  // a folder; empty: none
  std::string command;
};

Request request_in(const Arguments& arguments, OptionReader& reader) {
  Request out;
  out.options = shared_audit_options_in(arguments, reader);
  out.options.confirm = !arguments.has("--no-confirm");
  out.options.reads = static_cast<audit::Reads>(reader.choice("--reads", reads_names(), 0));
  out.text = {.colour = is_output_colourful(),
              .ignore_harmless = arguments.has("--ignore-harmless"),
              .command = ""};
  out.command = fmt::format("{} {}", command_typed("audit", audit_options, arguments),
                            arguments.value("app"));
  out.files = documents_in(arguments, reader);
  out.scenarios = arguments.value("--scenario-out");
  if (out.text.ignore_harmless && !out.options.confirm)
    reader.fail("--ignore-harmless needs anomalies to be confirmed");
  if (!out.scenarios.empty() && !out.options.confirm)
    reader.fail("--scenario-out needs anomalies to be confirmed");
  return out;
}

// --- scenarios ---

// How to explore the scenario of an anomaly.
std::string explore_command(const std::string& level, const audit::Options& options,
                            const std::string& file) {
  return fmt::format(
      "isomer explore {} --level {} --find unserializable{}", file, level,
      options.granularity == program::Granularity::Field ? " --granularity field" : "");
}

// On one line.
std::string comment(const std::string& text) {
  return printable(text);
}

// Writes the scenario of an anomaly, and beside it the level if that has no name; keeps how
// to explore it.
int write_scenario(Request& request, const report::Audited& audited,
                   const report::AuditedLevel& level, const audit::Anomaly& anomaly,
                   const std::string& stem) {
  std::error_code error;
  const std::string app =
      std::filesystem::relative(audit::application_file(audited.program), request.scenarios,
                                error)
          .generic_string();
  const level::Level& common =
      level.plan.levels[level.plan.level_of[anomaly.transactions.front().type]];
  // A level of the library has a name, and more is known of it than of a text.
  const bool is_named =
      level.plan.levels.size() == 1 && level.plan.serial.empty() && common.file.empty();
  const bool has_own_level = !anomaly.level.empty() && !is_named;
  const std::string asked = has_own_level                   ? fmt::format("{}.level", stem)
                            : level.plan.levels.size() == 1 ? level.plan.name
                                                            : common.qualified_name();
  const std::string file = fmt::format("{}.toml", stem);
  const std::string command = explore_command(asked, audited.options, file);
  request.text.replay_commands.push_back(command);
  int status = write_bytes_or_complain(
      "audit", file,
      fmt::format("# {}\n# {}\napp = {}\n{}",
                  comment(report::title_text(audited.program, anomaly)), comment(command),
                  program::toml_string(app), anomaly.scenario));
  if (has_own_level)
    status = worst(status, write_bytes_or_complain("audit", fmt::format("{}.level", stem),
                                                   anomaly.level));
  return status;
}

int write_scenarios(Request& request, const report::Audited& audited) {
  if (request.scenarios.empty()) return status_nothing_found;
  const std::filesystem::path folder = request.scenarios;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  int status = status_nothing_found;
  for (const report::AuditedLevel& level : audited.levels) {
    std::size_t number = 0;
    for (const audit::Anomaly& anomaly : level.result.anomalies)
      if (!anomaly.scenario.empty() &&
          report::counts(anomaly, request.text.ignore_harmless)) {
        const std::string stem =
            (folder / fmt::format("{}-{}", file_name(level.plan.name), ++number)).string();
        status = worst(status, write_scenario(request, audited, level, anomaly, stem));
      }
  }
  return status;
}

// --- the answer ---

// An anomaly that was not confirmed leaves the question open.
int status_of(const report::Audited& audited, bool ignore_harmless) {
  int out = status_nothing_found;
  for (const report::AuditedLevel& level : audited.levels) {
    const report::AnomalyCounts counts =
        report::anomaly_counts(level.result, ignore_harmless);
    const bool is_open =
        counts.unconfirmed > 0 || level.result.verdict == audit::Verdict::Unknown ||
        (!level.result.unknown.empty() && level.result.verdict != audit::Verdict::NoCycle);
    if (counts.confirmed > 0)
      out = worst(out, status_found);
    else if (is_open)
      out = worst(out, status_undecided);
  }
  return out;
}

void add_replays(const Program& program, const audit::Options& options,
                 report::AuditedLevel& level) {
  for (const audit::Anomaly& anomaly : level.result.anomalies)
    level.replays.push_back(audit::replay(program, level.plan, options, anomaly));
}

report::Audited audited_program(const Program& program, const std::vector<Plan>& plans,
                                Request& request) {
  report::Audited out{.program = program, .options = request.options, .levels = {}};
  Progress progress(request.options.budget, fmt::format("auditing {}", program.file));
  for (const Plan& plan : plans) {
    request.options.on_progress = [&](const std::string& how_far) {
      progress.tell(fmt::format("{}: {}", plan.name, how_far));
    };
    out.levels.push_back({plan, audit::audit(program, plan, request.options)});
    if (!request.files.html.empty())
      add_replays(program, request.options, out.levels.back());
  }
  return out;
}

int audit_program(const Program& program, const std::vector<Plan>& plans, Request request) {
  const report::Audited audited = audited_program(program, plans, request);
  int status = write_scenarios(request, audited);
  if (request.files.html.empty()) request.text.command = request.command;
  status = worst(
      status,
      write_documents("audit", request.files,
                      {.text = [&] { return report::audit_text(audited, request.text); },
                       .json = [&] { return report::audit_json(audited, request.text); },
                       .dot = [&] { return report::audit_dot(audited, request.text); },
                       .html = [&] { return report::audit_html(audited, request.text); }}));
  return status == status_nothing_found ? status_of(audited, request.text.ignore_harmless)
                                        : status;
}

int run(const Arguments& arguments) {
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("audit", *reader.error());
  const Expected<Program> program =
      read_program_at_abstract_level(arguments, arguments.value("app"));
  const Diagnostics errors = program ? audit::obstacles(*program) : program.error();
  if (!errors.empty()) return refuse_input(errors, request.files);
  const std::vector<Plan> plans = plans_in(arguments.values("--level"), *program, reader);
  if (reader.error()) return usage_failure("audit", *reader.error());
  std::vector<std::string> levels;
  for (const Plan& plan : plans)
    for (const level::Level& level : plan.levels)
      levels.push_back(level.name);
  warn_of_databases(*program, program::all_types(*program), levels, arguments);
  return audit_program(*program, plans, request);
}

}  // namespace

constinit const Command audit_command = {
    .name = "audit",
    .purpose = "Prove programs correct",
    .summary = "Whether an SQL application is serializable, for any number of transactions",
    .synopsis = "APP [--level L]... [--max-cycle K] [--prove]",
    .description =
        "Looks for cycles of dependencies between transactions of an application: what "
        "they "
        "are called with, how many there are and what is in the database is left open, and "
        "a solver finds values for which a cycle is possible at the level, or shows that "
        "there are none. What it finds is then run: an anomaly is called confirmed if "
        "'isomer explore' meets it.\n\n"
        "READ COMMITTED cannot be audited: its statements do not share one snapshot.\n\n"
        "The exit status is 1 if there are anomalies, 3 if some question was left open: "
        "also by anomalies none of which could be confirmed.",
    .options = audit_options,
    .examples = examples,
    .run = run,
};

}  // namespace isomer::cli
