// SPDX-License-Identifier: MIT
// isomer check: does a level allow a recorded history?
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/check.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/input.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "report/check/report.h"

namespace isomer::cli {
namespace {

using report::Checked;

constexpr Option check_options[] = {
    {.name = "--level",
     .argument = "L",
     .takes = Takes::Many,
     .help = "A level to check; may be repeated or a list with commas. Without it, the "
             "seven built-in ones.",
     .completes = Completes::Choices,
     .choices = standard_level_names},
    format_option("The format of the files. Without it, it is detected from the content."),
    json_option("Print one JSON document instead of text (docs/schema/check.schema.json)."),
    {.name = "--witness",
     .takes = Takes::Nothing,
     .help = "Show the commit order, or the other witness relations, that prove that the "
             "strongest levels hold."},
    html_option(
        "Write a page with a picture of each violation. '-' is standard output, and "
        "then no text is printed."),
    svg_option,
    dot_option,
    {.name = "--certify",
     .takes = Takes::Nothing,
     .help = "Re-check every answer against the axioms. Violations always are; witnesses "
             "only up to 100,000 operations, unless this or --witness is given."},
    {.name = "file",
     .argument = "FILE",
     .takes = Takes::Many,
     .help = "Histories; '-' is standard input. What gzip or zstd packed is unpacked.",
     .completes = Completes::Files,
     .is_required = true},
};

constexpr Example check_examples[] = {
    {"isomer check examples/bank.hist", "a lost update, and who lost what"},
    {"isomer check --level SER --html skew.html examples/write_skew.hist",
     "a picture of why two doctors both went home"},
};

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

// The documents while they grow.
struct Documents {
  std::vector<std::string> json;
  std::vector<std::string> dot;
  std::vector<std::string> html;
  report::Unanswered unanswered;
};

int status_of(const check::Result& result) {
  int status = status_nothing_found;
  for (const check::LevelResult& level : result.levels) {
    if (std::holds_alternative<check::Violated>(level.verdict))
      status = worst(status, status_found);
    if (std::holds_alternative<check::Unknown>(level.verdict))
      status = worst(status, status_undecided);
  }
  return status;
}

std::string text_of(const Checked& checked, const CheckRequest& request) {
  const bool has_more_to_show = request.results.html.empty() && checked.file != stdin_name;
  return report::check_text(checked, {.colour = is_output_colourful(),
                                      .witness = request.witness,
                                      .command = has_more_to_show ? request.command : ""});
}

void render(const Checked& checked, const CheckRequest& request, Documents& documents) {
  if (request.results.json)
    documents.json.push_back(
        report::check_json_part(checked, {.witness = request.witness}));
  const bool wants_svg = !request.results.svg.empty();
  if (!request.results.dot.empty() || wants_svg)
    documents.dot.push_back(report::check_dot_part(checked, documents.dot.size()));
  if (!request.results.html.empty() || wants_svg)
    documents.html.push_back(report::check_html_part(checked, documents.html.size()));
}

std::string name_of(const std::string& file) {
  return file == "-" ? stdin_name : file;
}

int refuse(const std::string& file, const Unread& unread, Documents& documents) {
  report::Unanswered& unanswered = documents.unanswered;
  if (unread.limit) {
    print_undecided("check", *unread.limit);
    unanswered.undecided = unread.limit;
    unanswered.not_checked.push_back(name_of(file));
    return status_undecided;
  }
  fmt::print(stderr, "{}", isomer::render(unread.errors));
  unanswered.errors.insert(unanswered.errors.end(), unread.errors.begin(),
                           unread.errors.end());
  return status_bad_input;
}

check::Certified<check::Result> decide(const std::string& file,
                                       const history::History& history,
                                       const CheckRequest& request) {
  const Progress progress(request.budget, fmt::format("checking {}", file));
  check::Certified<check::Result> result = check::certified_answers(
      history, {.levels = request.levels,
                .budget = request.budget,
                .certifies_all_witnesses = request.certify || request.witness,
                .asks_library = true});
  for (const check::LevelResult& level : result->levels) {
    count(request.budget, "known edges", level.stats.known_edges);
    count(request.budget, "learned clauses", level.stats.learned_clauses);
  }
  return result;
}

int check_file(const std::string& file, const CheckRequest& request, Documents& documents) {
  const tl::expected<history::ReadResult, Unread> input =
      read_history(request.budget, file, request.format);
  if (!input) return refuse(file, input.error(), documents);
  print_warnings(file, input->warnings);
  const check::Certified<check::Result> result = decide(file, input->history, request);
  const Checked checked{name_of(file), input->history, result};
  render(checked, request, documents);
  const int written = request.results.text
                          ? write_bytes_or_complain("check", "-", text_of(checked, request))
                          : status_nothing_found;
  return worst(status_of(result), written);
}

int run_check(const Arguments& arguments) {
  OptionReader reader(arguments);
  const CheckRequest request = check_request_in(arguments, reader);
  if (reader.error()) return usage_failure("check", *reader.error());
  Documents documents;
  int status = status_nothing_found;
  for (const std::string& file : request.files) {
    if (request.budget.is_exhausted() && &file != request.files.data()) {
      fmt::print(stderr, "{}: not checked: {}\n", name_of(file), request.budget.reason());
      documents.unanswered.not_checked.push_back(name_of(file));
      status = worst(status, status_undecided);
      continue;
    }
    if (request.results.text && &file != request.files.data()) write_bytes("-", "\n");
    status = worst(status, check_file(file, request, documents));
    if (status == status_internal_error) return status;
  }
  const DocumentMakers makers{
      .text = {},  // written file by file
      .json = [&] { return report::check_json(documents.json, documents.unanswered); },
      .dot = [&] { return report::check_dot(documents.dot); },
      .html = [&] { return report::check_html(documents.html); }};
  return worst(status, write_documents("check", request.results, makers));
}

}  // namespace

constinit const Command check_command = {
    .name = "check",
    .purpose = "Find out what a database did",
    .summary = "Which isolation levels allow a recorded history, and why not the others",
    .synopsis = "[--level L]... [--format F] FILE...",
    .description =
        "Reads histories: what each transaction of each session read and wrote. Tells for "
        "each level whether it allows what was seen, and if not, shows the few "
        "transactions "
        "that cannot be explained and why.\n\n"
        "The levels, from weak to strong: RC (read committed), RA (read atomic), CC "
        "(causal "
        "consistency), PC (prefix consistency), PSI (parallel snapshot isolation), SI "
        "(snapshot isolation), SER (serializability). PC and PSI are incomparable; every "
        "other one includes all before it.\n\n"
        "The exit status is 0 if every level asked for allows every history, 1 if one does "
        "not, 3 if that was not decided.",
    .options = check_options,
    .examples = check_examples,
    .run = run_check,
};

}  // namespace isomer::cli
