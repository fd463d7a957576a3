// SPDX-License-Identifier: MIT
// isomer verify: do the invariants of a program survive a level?
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/assert.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/database_level.h"
#include "cli/documents.h"
#include "cli/input.h"
#include "cli/level_argument.h"
#include "cli/on_server.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "level/library.h"
#include "program/database_only.h"
#include "program/scenario/write.h"
#include "report/verify/report.h"
#include "verify/verify.h"

namespace isomer::cli {
namespace {

using program::Program;
using verify::Encoding;
using verify::Verdict;

constexpr std::uint64_t rows_max = 20;
constexpr std::uint64_t instances_max = 8;
constexpr std::uint64_t unroll_max = 1000;

std::vector<std::string> encoding_names() {
  return {"exact", "paper"};  // as verify::Encoding
}

constexpr Option verify_options[] = {
    {.name = "--level",
     .argument = "L",
     .takes = Takes::Many,
     .help = "A level to verify at; may be repeated or a list with commas (RC, EC, RA, "
             "CC, PC, PSI, SI, SER; EC allows what RA allows).",
     .completes = Completes::Choices,
     .choices = standard_level_names},
    {.name = "--encoding",
     .argument = "E",
     .help =
         "'exact' asks for every execution that the text of the level allows; 'paper' "
         "has the executions of the paper's section 3, to compare with: some are missing, "
         "some too many, and there are no sessions; for CC, PSI, PC, SI and SER.",
     .completes = Completes::Choices,
     .choices = encoding_names},
    {.name = "--rows",
     .argument = "N",
     .help = "Where a statement looks at a whole table, rows in it beside those that are "
             "named by their keys (3)."},
    {.name = "--overflow",
     .takes = Takes::Nothing,
     .help = "Integers have 32 or 64 bits, and numbers their digits, as in PostgreSQL; "
             "without it they are as large as they need to be."},
    {.name = "--no-lost-updates",
     .takes = Takes::Nothing,
     .help = "Also ask whether a number in a row ends up with every change that was made "
             "to it."},
    {.name = "--constraints",
     .takes = Takes::Nothing,
     .help = "Also ask whether unique and foreign-key constraints hold in the end."},
    {.name = "--instances",
     .argument = "K",
     .help = "Instead of the scenario's calls: any K transactions of the application at "
             "once, with any parameters, from any rows with which the invariants hold."},
    {.name = "--unroll",
     .argument = "N",
     .help = "Rounds of a loop that are followed if nothing else bounds it (16)."},
    json_option(
        "Print one JSON document instead of text (docs/schema/verify.schema.json)."),
    html_option("Write a page with a picture of the violation and the lines of the "
                "program that it ran. '-' is standard output, and then no text is "
                "printed."),
    svg_option,
    dot_option,
    output_option("Save the history of the violation, for 'isomer check'."),
    to_option,
    {.name = "--scenario-out",
     .argument = "FILE",
     .help = "Save the violation as a scenario (.toml) with all its values, for 'isomer "
             "explore' and 'isomer run'.",
     .completes = Completes::Files},
    on_option,
    local_option,
    keep_option,
    program_option("A scenario (.toml), or with --instances an SQL application (.sql)."),
};

constexpr Example verify_examples[] = {
    {"isomer verify examples/apps/simple_bank/write_skew.toml",
     "which levels keep a bank from being overdrawn"},
    {"isomer verify --level SI --instances 2 examples/apps/simple_bank/workload.toml",
     "the same for any two transactions and any accounts"},
};

struct Request {
  verify::Options options;
  ServerWish server;
  DocumentFiles files;
  std::string output;
  std::string format;  // of `output`
  std::string scenario;
  std::string command;  // as typed, without where results go
};

// EC has no checker of its own.  With atomic visibility it allows what RA allows, so it
// stands beside RA: before it stands RC, which allows more.
std::vector<check::AskedLevel> asked_levels(const Arguments& arguments,
                                            OptionReader& reader) {
  std::vector<check::AskedLevel> out = levels_in(arguments, reader);
  if (arguments.has("--level")) return out;
  const level::Level* eventual = level::standard_level("EC");
  ISOMER_ASSERT(eventual != nullptr);
  out.insert(std::ranges::find(out, "RA", &check::AskedLevel::name),
             check::AskedLevel("EC", *eventual));
  return out;
}

verify::Options options_in(const Arguments& arguments, OptionReader& reader) {
  verify::Options out;
  out.levels = asked_levels(arguments, reader);
  out.encoding = static_cast<Encoding>(reader.choice("--encoding", encoding_names(), 0));
  out.rows_max = static_cast<std::uint32_t>(reader.integer("--rows", 3, 0, rows_max));
  out.has_overflow = arguments.has("--overflow");
  out.no_lost_updates = arguments.has("--no-lost-updates");
  out.constraints = arguments.has("--constraints");
  if (arguments.has("--instances"))
    out.instances =
        static_cast<std::uint32_t>(reader.integer("--instances", 2, 1, instances_max));
  out.unroll_max =
      static_cast<std::uint32_t>(reader.integer("--unroll", 16, 1, unroll_max));
  out.budget = arguments.budget();
  return out;
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  return {
      .options = options_in(arguments, reader),
      .server = server_wish_in(arguments, reader),
      .files = documents_in(arguments, reader),
      .output = arguments.value("--output"),
      .format = output_format_in(arguments, reader),
      .scenario = arguments.value("--scenario-out"),
      .command = fmt::format("{} {}", command_typed("verify", verify_options, arguments),
                             arguments.value("app"))};
}

// What keeps the program from being verified.
Diagnostics obstacles(const Program& program, const verify::Options& asked) {
  if (program.tables.empty())
    return {diagnostic_of_file(program.file,
                               "'isomer verify' works on SQL applications; 'isomer "
                               "explore' checks litmus programs")};
  if (program.sessions.empty() && !asked.instances)
    return {diagnostic_of_file(program.file,
                               "the scenario has no sessions to verify; --instances 2 asks "
                               "about any two transactions")};
  return {};
}

Expected<verify::Result> verified(const Program& program, verify::Options asked) {
  Progress progress(asked.budget, fmt::format("verifying {}", program.file));
  asked.on_question = [&](const std::string& level, const std::string& invariant) {
    progress.tell(fmt::format("{} at {}", invariant, level));
  };
  return verify::verify(program, asked);
}

// A mistake of ours, if there is one.
std::string contradiction_in(const verify::Result& result) {
  for (const verify::LevelAnswer& level : result.levels)
    for (const verify::Answer& answer : level.answers)
      if (!answer.contradiction.empty())
        return fmt::format("{} at {}: {}", answer.invariant, level.level,
                           answer.contradiction);
  return {};
}

int show(const Request& request, const report::Verified& shown) {
  const report::VerifyTextOptions text{
      .colour = is_output_colourful(),
      .command = request.files.html.empty() ? request.command : "",
      .width = output_width()};
  return write_documents("verify", request.files,
                         {.text = [&] { return report::verify_text(shown, text); },
                          .json = [&] { return report::verify_json(shown); },
                          .dot = [&] { return report::verify_dot(shown); },
                          .html = [&] { return report::verify_html(shown); }});
}

int status_of(const verify::Result& result) {
  int status = status_nothing_found;
  for (const verify::LevelAnswer& level : result.levels)
    for (const verify::Answer& answer : level.answers) {
      if (answer.verdict == Verdict::Violated) return status_found;
      if (answer.verdict == Verdict::Unknown) status = status_undecided;
    }
  return status;
}

// Where a scenario in this file finds the application of the program.
std::string application_for(const std::string& scenario, const Program& program) {
  namespace fs = std::filesystem;
  std::string app = program.file;
  for (const program::SourceFile& file : program.files)
    if (file.name != program.file) app = file.name;
  std::error_code error;
  const fs::path folder = fs::absolute(scenario, error).parent_path();
  const fs::path path = fs::proximate(fs::absolute(app, error), folder, error);
  return error ? app : path.string();
}

int save_scenario(const std::string& path, const Program& program) {
  return write_bytes_or_complain(
      "verify", path, program::scenario_text(program, application_for(path, program)));
}

// What --output and --scenario-out ask for.
int save(const Request& request, const verify::Counterexample& example) {
  int status = status_nothing_found;
  if (!request.output.empty())
    status = write_as("verify", example.failure->history, request.format, request.output);
  if (!request.scenario.empty())
    status = worst(status, save_scenario(request.scenario, example.program));
  return status;
}

// The violation that is told, on the server that is wished.
std::optional<reproduce::Tried> violation_on(const std::optional<reproduce::Target>& target,
                                             const report::Verified& shown) {
  const report::Violation* const violation = report::told_violation(shown);
  if (violation == nullptr) return std::nullopt;
  return tried_there(target, violation->answer.counterexample->program,
                     violation->answer.invariant, violation->level.name);
}

int report_result(const Program& program, const Request& request,
                  const verify::Result& result,
                  const std::optional<reproduce::Target>& target) {
  report::Verified shown{.program = program,
                         .options = request.options,
                         .result = result,
                         .violations = report::violations_in(request.options, result)};
  if (const std::string why = contradiction_in(result); !why.empty())
    return own_mistake("verify", why);
  const auto there = violation_on(target, shown);
  if (there) shown.there = &*there;
  int status = show(request, shown);
  if (const report::Violation* violation = report::told_violation(shown))
    status = worst(status, save(request, *violation->answer.counterexample));
  return status == status_nothing_found ? status_of(result) : status;
}

int run_verify(const Arguments& arguments) {
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("verify", *reader.error());
  const Expected<Program> program =
      read_program_at_abstract_level(arguments, arguments.value("app"));
  if (!program) return refuse_input(program.error(), request.files);
  if (const Diagnostics errors = obstacles(*program, request.options); !errors.empty())
    return refuse_input(errors, request.files);
  if (const Diagnostics errors = obstacles_there(request.server, *program); !errors.empty())
    return refuse_input(errors, request.files);
  const auto target = target_in(request.server, database_of(request.server), arguments);
  if (!target) return target.error();
  std::vector<std::string> levels;
  for (const check::AskedLevel& level : request.options.levels)
    levels.push_back(level.name);
  warn_of_databases(*program,
                    request.options.instances ? program::all_types(*program)
                                              : program::called_types(*program),
                    levels, arguments);
  const Expected<verify::Result> result = verified(*program, request.options);
  return result ? report_result(*program, request, *result, *target)
                : refuse_input(result.error(), request.files);
}

}  // namespace

constinit const Command verify_command = {
    .name = "verify",
    .purpose = "Prove programs correct",
    .summary = "Whether the invariants of a program hold at a level, for all values",
    .synopsis = "APP [--level L]... [--encoding exact|paper] [--instances K]",
    .description =
        "Asks of each level whether every execution that it allows keeps the invariants of "
        "the scenario and the ASSERTs of the transactions: for every value of the "
        "parameters that are left open (?x), and for every initial state that the scenario "
        "allows. The answer is a proof, whose bounds are told, or an execution that breaks "
        "the invariant, with values. Such an execution has been run by the interpreter and "
        "judged by the checkers before it is shown.\n\n"
        "It tells the weakest levels that suffice, and one violation step by step: at the "
        "strongest level that has one, since weaker levels allow it too.\n\n"
        "The exit status is 0 if all invariants hold at all levels asked for, 1 if some "
        "are violated, 3 if some are undecided and none is violated.",
    .options = verify_options,
    .examples = verify_examples,
    .run = run_verify,
};

}  // namespace isomer::cli
