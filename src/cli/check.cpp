// SPDX-License-Identifier: MIT
// isomer check: does a level allow a recorded history?
#include <algorithm>

#include <fmt/format.h>

#include "check/certify.h"
#include "check/check.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/output.h"
#include "history/formats.h"
#include "report/check_report.h"

namespace isomer::cli {
namespace {

using check::Level;
using report::Checked;

// Below this many operations, re-checking a witness costs nothing that a person notices.
constexpr std::size_t operations_always_certified = 100'000;

// How standard input is called in what we print.
constexpr const char* stdin_name = "<stdin>";

constexpr Option options[] = {
    {.name = "--level",
     .argument = "L",
     .takes = Takes::Many,
     .help = "A level to check; may be repeated, or be a list with commas. Without it, all "
             "of them.",
     .completes = Completes::Choices,
     .choices = level_names},
    {.name = "--format",
     .argument = "F",
     .help = "The format of the files. Without it, it is detected from the content.",
     .completes = Completes::Choices,
     .choices = format_names},
    {.name = "--json",
     .takes = Takes::Nothing,
     .help = "Print one JSON document instead of text (docs/schema/check.schema.json)."},
    {.name = "--witness",
     .takes = Takes::Nothing,
     .help = "Show the commit order that proves that the strongest levels hold."},
    {.name = "--html",
     .argument = "F",
     .help = "Write a page with a picture of each violation. '-' is standard output, and "
             "then no text is printed.",
     .completes = Completes::Files},
    {.name = "--svg",
     .argument = "F",
     .help = "Write the picture alone, laid out by Graphviz.",
     .completes = Completes::Files},
    {.name = "--dot",
     .argument = "F",
     .help = "Write the picture as Graphviz's input.",
     .completes = Completes::Files},
    {.name = "--timeout",
     .argument = "S",
     .help = "Give up on a file after so many seconds; levels not decided by then are "
             "reported as such."},
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

constexpr Example examples[] = {
    {"isomer check examples/bank.hist", "a lost update, and who lost what"},
    {"isomer check --level SER --html skew.html examples/write_skew.hist",
     "a picture of why two doctors both went home"},
};

struct Request {
  std::vector<Level> levels;
  std::optional<double> timeout_s;
  std::vector<std::string> files;
  std::string format;
  bool json = false;
  bool witness = false;
  bool certify = false;
  bool text = true;
  std::string dot;
  std::string svg;
  std::string html;
  std::string command;  // as typed, without the files
};

// The documents while they grow.
struct Documents {
  std::vector<std::string> json;
  std::vector<std::string> dot;
  std::vector<std::string> html;
  Diagnostics errors;
};

std::vector<std::string> split_at_commas(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists)
    for (std::size_t start = 0; start <= list.size();) {
      const std::size_t comma = std::min(list.find(',', start), list.size());
      out.push_back(list.substr(start, comma - start));
      start = comma + 1;
    }
  return out;
}

bool is_level_file(const std::string& word) {
  return word.ends_with(".level") || word.find(".level:") != std::string::npos;
}

std::vector<Level> levels_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--level"))
    return {check::all_levels.begin(), check::all_levels.end()};
  std::vector<Level> out;
  for (const std::string& word : split_at_commas(arguments.values("--level"))) {
    if (is_level_file(word))
      reader.fail(
          fmt::format("--level {}: this version cannot read level files, it knows "
                      "the built-in levels {}",
                      word, fmt::join(level_names(), ", ")));
    else if (const std::optional<Level> level = check::level_named(word))
      out.push_back(*level);
    else
      reader.fail(unknown_word("level", word, level_names()));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void check_outputs(Request& request, OptionReader& reader) {
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

void check_files(const Request& request, OptionReader& reader) {
  if (std::count(request.files.begin(), request.files.end(), "-") > 1)
    reader.fail("standard input ('-') can be read only once");
  for (const std::string& file : request.files)
    if (is_level_file(file))
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

Request request_in(const Arguments& arguments, OptionReader& reader) {
  Request request{.levels = levels_in(arguments, reader),
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

// Absent if every answer holds; else which does not, and why.
std::optional<std::string> refutation(const Checked& checked, const Request& request) {
  const bool is_small = checked.history.operations().size() < operations_always_certified;
  const bool witnesses = request.certify || request.witness || is_small;
  for (const check::LevelResult& level : checked.result.levels) {
    std::optional<std::string> why;
    if (const auto* violated = std::get_if<check::Violated>(&level.verdict))
      why = check::refute(checked.history, level.level, *violated);
    else if (const auto* consistent = std::get_if<check::Consistent>(&level.verdict);
             consistent != nullptr && witnesses)
      why = check::refute(checked.history, level.level, *consistent);
    if (why)
      return fmt::format("the answer for {} on {} is wrong: {}",
                         check::info(level.level).name, checked.file, *why);
  }
  return std::nullopt;
}

std::string text_of(const Checked& checked, const Request& request) {
  const bool has_more_to_show = request.html.empty() && checked.file != stdin_name;
  return report::check_text(checked, {.colour = is_output_colourful(),
                                      .witness = request.witness,
                                      .command = has_more_to_show ? request.command : ""});
}

void render(const Checked& checked, const Request& request, Documents& documents) {
  if (request.json)
    documents.json.push_back(
        report::check_json_part(checked, {.witness = request.witness}));
  if (!request.dot.empty() || !request.svg.empty())
    documents.dot.push_back(report::check_dot_part(checked, documents.dot.size()));
  if (!request.html.empty())
    documents.html.push_back(report::check_html_part(checked, documents.html.size()));
}

int write_or_complain(const std::string& path, std::string_view bytes) {
  const std::optional<std::string> complaint = write_bytes(path, bytes);
  if (!complaint) return status_nothing_found;
  fmt::print(stderr, "isomer check: error: {}\n", *complaint);
  return status_bad_input;
}

int check_file(const std::string& file, const Request& request, Documents& documents) {
  Expected<history::ReadResult> input = [&] {
    const Progress progress(fmt::format("reading {}", file));
    return history::read_history(file, {.format = request.format});
  }();
  if (!input) {
    fmt::print(stderr, "{}", isomer::render(input.error()));
    documents.errors.insert(documents.errors.end(), input.error().begin(),
                            input.error().end());
    return status_bad_input;
  }
  print_warnings(file, input->warnings);
  const check::Result result = [&] {
    const Interruption interruption;
    const Progress progress(fmt::format("checking {}", file));
    return check::check(input->history,
                        {.levels = request.levels,
                         .budget = Budget(request.timeout_s, &Interruption::flag())});
  }();
  const Checked checked{file == "-" ? stdin_name : file, input->history, result};
  if (const std::optional<std::string> why = refutation(checked, request)) {
    fmt::print(stderr,
               "isomer check: internal error: {}\n"
               "This is a bug in isomer. Please report it together with the history.\n",
               *why);
    return status_internal_error;
  }
  render(checked, request, documents);
  const int written = request.text ? write_or_complain("-", text_of(checked, request))
                                   : status_nothing_found;
  return worst(status_of(result), written);
}

int write_svg(const std::string& path, const std::string& dot) {
  const Expected<std::string> svg = report::svg_of_dot(dot);
  if (svg) return write_or_complain(path, *svg);
  fmt::print(stderr, "{}", isomer::render(svg.error()));
  return status_bad_input;
}

int write_documents(const Request& request, const Documents& documents) {
  int status = status_nothing_found;
  if (request.json)
    status = worst(status, write_or_complain(
                               "-", report::check_json(documents.json, documents.errors)));
  const std::string dot = report::check_dot(documents.dot);
  if (!request.dot.empty()) status = worst(status, write_or_complain(request.dot, dot));
  if (!request.svg.empty()) status = worst(status, write_svg(request.svg, dot));
  if (!request.html.empty())
    status =
        worst(status, write_or_complain(request.html, report::check_html(documents.html)));
  return status;
}

int run(const Arguments& arguments) {
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("check", *reader.error());
  Documents documents;
  int status = status_nothing_found;
  for (const std::string& file : request.files) {
    if (Interruption::flag()) {
      fmt::print(stderr, "{}: not checked: interrupted\n", file);
      status = worst(status, status_undecided);
      continue;
    }
    if (request.text && &file != request.files.data()) fmt::print("\n");
    status = worst(status, check_file(file, request, documents));
    if (status == status_internal_error) return status;
  }
  return worst(status, write_documents(request, documents));
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
        "other one includes all before it.",
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace isomer::cli
