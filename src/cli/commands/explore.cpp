// SPDX-License-Identifier: MIT
// isomer explore: every history of a program that a level allows, and the first that fails.
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/budget.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/input.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "explore/explore.h"
#include "report/explore/report.h"

namespace isomer::cli {
namespace {

using explore::Algorithm;
using explore::Base;
using explore::Find;
using program::Program;

constexpr std::uint64_t jobs_max = 256;

std::vector<std::string> base_names() {
  return {"true", "RC", "RA", "CC"};  // as explore::Base
}

std::vector<std::string> algorithm_names() {
  return {"dpor", "dfs"};  // as explore::Algorithm
}

std::vector<std::string> find_names() {
  return {"all", "failing", "unserializable"};  // as explore::Find
}

constexpr Option explore_options[] = {
    {.name = "--level",
     .argument = "L",
     .help = "The level whose histories are explored (CC); 'true' allows every history.",
     .completes = Completes::Choices,
     .choices = standard_level_names},
    {.name = "--base",
     .argument = "L0",
     .help = "Explore under a weaker level, and let --level decide at the end. Without it, "
             "the strongest of these that --level implies.",
     .completes = Completes::Choices,
     .choices = base_names},
    {.name = "--algorithm",
     .argument = "A",
     .help = "'dpor' meets each history once; 'dfs' tries every order of transactions, to "
             "measure what dpor gains.",
     .completes = Completes::Choices,
     .choices = algorithm_names},
    {.name = "--find",
     .argument = "WHAT",
     .help = "'all' counts all histories; the others stop at the first that fails an "
             "assertion or invariant, or that is not serializable.",
     .completes = Completes::Choices,
     .choices = find_names},
    granularity_option,
    {.name = "--jobs", .argument = "N", .help = "Explore with N threads (1)."},
    {.name = "--histories",
     .argument = "F",
     .help = "Write each history as one line of JSON while they are found. '-' is standard "
             "output, and then no text is printed.",
     .completes = Completes::Files},
    {.name = "--no-prune",
     .takes = Takes::Nothing,
     .help = "Under a weaker base, do not leave branches early that cannot become "
             "consistent."},
    {.name = "--no-minimise",
     .takes = Takes::Nothing,
     .help = "Show the first failing history as it was found, not with as few transactions "
             "as fail alone."},
    json_option(
        "Print one JSON document instead of text (docs/schema/explore.schema.json)."),
    html_option(
        "Write a page with a picture of the failing history and the lines of the "
        "program that it ran. '-' is standard output, and then no text is printed."),
    svg_option,
    dot_option,
    output_option("Save the failing history, for 'isomer check'."),
    to_option,
    runnable_program_option,
};

constexpr Example explore_examples[] = {
    {"isomer explore --level SI examples/apps/simple_bank/write_skew.toml",
     "how snapshot isolation lets a bank be overdrawn"},
    {"isomer explore --level SER examples/apps/simple_bank/write_skew.toml",
     "that serializability does not"},
};

struct Request {
  explore::Options options;
  DocumentFiles files;
  std::string histories;
  std::string output;
  std::string format;   // of `output`
  std::string command;  // as typed, without where results go
};

std::optional<Base> base_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--base")) return std::nullopt;
  return static_cast<Base>(reader.choice("--base", base_names(), 0));
}

// What --level allows must be among what the base allows, or histories would be missed.
void check_base(const explore::Options& asked, OptionReader& reader) {
  if (!asked.base || *asked.base == Base::True) return;
  const std::string level = asked.level ? asked.level->name : "true";
  const std::string name(explore::name(*asked.base));
  const std::optional<check::Level> base = check::level_named(name);
  if (base && !(asked.level && check::is_stronger_or_equal(*asked.level, *base)))
    reader.fail(
        fmt::format("--base {0}: {1} is not known to imply {0}, so histories of "
                    "{1} would be missed",
                    name, level));
}

explore::Options options_in(const Arguments& arguments, OptionReader& reader) {
  explore::Options out;
  if (arguments.value("--level") == "true")
    out.level.reset();
  else if (const auto level = level_in(arguments, reader))
    out.level = *level;
  out.base = base_in(arguments, reader);
  out.algorithm =
      static_cast<Algorithm>(reader.choice("--algorithm", algorithm_names(), 0));
  out.find = static_cast<Find>(reader.choice("--find", find_names(), 0));
  out.granularity = granularity_in(reader);
  out.prune = !arguments.has("--no-prune");
  out.minimise = !arguments.has("--no-minimise");
  out.jobs = static_cast<unsigned>(reader.integer("--jobs", 1, 1, jobs_max));
  out.budget = arguments.budget();
  check_base(out, reader);
  return out;
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  return {
      .options = options_in(arguments, reader),
      .files = documents_in(arguments, reader),
      .histories = arguments.value("--histories"),
      .output = arguments.value("--output"),
      .format = output_format_in(arguments, reader),
      .command = fmt::format("{} {}", command_typed("explore", explore_options, arguments),
                             arguments.value("app"))};
}

// What keeps the program from being explored.
Diagnostics obstacles(const Program& program) {
  if (program.sessions.empty())
    return {diagnostic_of_file(program.file,
                               program.workload.empty()
                                   ? "the program has no sessions to explore"
                                   : "the scenario has no sessions to explore, only a "
                                     "[workload]")};
  return store::missing_values(program);
}

// Writes histories as they are found; remembers the first complaint.
class HistoryFile {
 public:
  explicit HistoryFile(const std::string& path) : path_(path) {
    if (path.empty()) return;
    stream_ = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
    if (stream_ == nullptr) complain();
  }

  ~HistoryFile() {
    if (stream_ != nullptr && stream_ != stdout) std::fclose(stream_);
  }

  HistoryFile(const HistoryFile&) = delete;
  HistoryFile& operator=(const HistoryFile&) = delete;

  [[nodiscard]] bool is_wanted() const { return !path_.empty(); }

  void add(const history::History& history) {
    if (stream_ == nullptr || complaint_) return;
    const std::string line = report::history_line(history);
    if (std::fwrite(line.data(), 1, line.size(), stream_) != line.size()) complain();
  }

  // The complaint, if there is one.
  const std::optional<std::string>& finish() {
    if (stream_ != nullptr && !complaint_ && std::fflush(stream_) != 0) complain();
    return complaint_;
  }

  [[nodiscard]] const std::optional<std::string>& complaint() const { return complaint_; }

 private:
  void complain() { complaint_ = write_complaint(path_); }

  std::string path_;
  std::FILE* stream_ = nullptr;
  std::optional<std::string> complaint_;
};

std::string progress_text(const explore::Progress& at, const Stopwatch& stopwatch) {
  const double seconds = std::max(stopwatch.seconds(), 1e-3);
  const std::string filtered =
      at.end_states == at.histories ? "" : fmt::format(" in {} end states", at.end_states);
  return fmt::format("about {:.0f} %, {} histories{}, {:.0f} a second", 100 * at.fraction,
                     at.histories, filtered, static_cast<double>(at.end_states) / seconds);
}

explore::Result explored(const Program& program, explore::Options asked,
                         HistoryFile& file) {
  Progress progress(asked.budget, fmt::format("exploring {}", program.file));
  const Stopwatch stopwatch;
  if (file.is_wanted())
    asked.on_history = [&](const history::History& history) { file.add(history); };
  asked.on_progress = [&](const explore::Progress& at) {
    progress.tell(progress_text(at, stopwatch));
  };
  explore::Result result = explore::explore(program, asked);
  count(asked.budget, "states explored", result.explored);
  count(asked.budget, "end states", result.end_states);
  count(asked.budget, "branches left early", result.pruned);
  return result;
}

int show(const Request& request, const report::Explored& shown) {
  const report::ExploreTextOptions text{
      .colour = is_output_colourful(),
      .command = request.files.html.empty() ? request.command : ""};
  return write_documents("explore", request.files,
                         {.text = [&] { return report::explore_text(shown, text); },
                          .json = [&] { return report::explore_json(shown); },
                          .dot = [&] { return report::explore_dot(shown); },
                          .html = [&] { return report::explore_html(shown); }});
}

int status_of(const explore::Result& result) {
  if (result.failure) return status_found;
  return result.is_complete ? status_nothing_found : status_undecided;
}

int complain(const std::string& complaint) {
  fmt::print(stderr, "isomer explore: error: {}\n", complaint);
  return status_bad_input;
}

int explore_program(const Program& program, const Request& request) {
  HistoryFile file(request.histories);
  if (file.complaint()) return complain(*file.complaint());
  const explore::Result result = explored(program, request.options, file);
  if (const std::optional<std::string>& why = file.finish()) return complain(*why);
  int status =
      show(request, {.program = program, .options = request.options, .result = result});
  if (!request.output.empty() && result.failure)
    status = worst(status, write_as("explore", result.failure.value()->history,
                                    request.format, request.output));
  return status == status_nothing_found ? status_of(result) : status;
}

int run_explore(const Arguments& arguments) {
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("explore", *reader.error());
  const Expected<Program> program =
      read_program(arguments.budget(), arguments.value("app"));
  const Diagnostics errors = program ? obstacles(*program) : program.error();
  return errors.empty() ? explore_program(*program, request)
                        : refuse_input(errors, request.files);
}

}  // namespace

constinit const Command explore_command = {
    .name = "explore",
    .purpose = "Run programs",
    .summary = "Every history of a program that a level allows, and the first that fails",
    .synopsis = "APP [--level L] [--base L0] [--find WHAT] [--histories F]",
    .description =
        "Runs the sessions of a program in every way that a level allows, each history "
        "once: whatever the database may do, one of them is it. Checks the assertions of "
        "the program and the invariants of the scenario in each, and shows the first "
        "history that fails: who read what from whom, at which line of the program, how it "
        "ends, and which levels would have prevented it.\n\n"
        "The levels RC, RA and CC are explored directly; a stronger one decides over the "
        "histories of the strongest of these that it implies.\n\n"
        "The exit status is 0 if no history fails, 1 if one does (with --find "
        "unserializable: if one is not serializable), 3 if the search was stopped before "
        "it found one.",
    .options = explore_options,
    .examples = explore_examples,
    .run = run_explore,
};

}  // namespace isomer::cli
