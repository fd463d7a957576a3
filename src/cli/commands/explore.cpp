// SPDX-License-Identifier: MIT
// isomer explore: every history of a program that a level allows, and the first that fails.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>

#include <fmt/format.h>

#include "base/budget.h"
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
#include "explore/explore.h"
#include "explore/extensible.h"
#include "history/formats.h"
#include "level/library.h"
#include "program/database_only.h"
#include "program/scenario/scenario.h"
#include "report/explore/report.h"
#include "synth/prove.h"

namespace isomer::cli {
namespace {

using explore::Algorithm;
using explore::Base;
using explore::Find;
using program::Program;

constexpr std::uint64_t jobs_max = 256;

std::vector<std::string> base_names() {
  return {"true", "RC", "RA", "CC"};
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
     .help = "The level whose histories are explored (CC); 'true' allows every history. At "
             "a level of a database, such as pg:RC, every schedule of statements is "
             "explored on its model.",
     .completes = Completes::Choices,
     .choices = standard_level_names},
    {.name = "--base",
     .argument = "L0",
     .help =
         "Explore under a weaker level, and let --level decide at the end: true, RC, RA, "
         "CC, or any other that is prefix-closed and causally extensible. Without it, the "
         "strongest of these four that --level implies.",
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
    workload_option,
    {.name = "--seed", .argument = "N", .help = "Chooses the calls of --workload (1)."},
    set_option,
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
    on_option,
    local_option,
    keep_option,
    psql_option,
    isolation_spec_option,
    to_option,
    runnable_program_option,
};

constexpr Example explore_examples[] = {
    {"isomer explore --level SI examples/apps/simple_bank/write_skew.toml",
     "how snapshot isolation lets a bank be overdrawn"},
    {"isomer explore --level pg:RC examples/apps/simple_bank/write_skew.toml",
     "what PostgreSQL does with it at READ COMMITTED"},
    {"isomer explore --level sqlite:DEFERRED examples/withdraw.toml",
     "what SQLite does with the same"},
};

struct Request {
  explore::Options options;
  std::optional<program::WorkloadSize> workload;
  std::uint64_t seed = 1;
  ServerWish server;
  DocumentFiles files;
  std::string histories;
  std::string output;
  std::string format;   // of `output`
  std::string command;  // as typed, without where results go
};

// --- the base ---

constexpr double proof_seconds_max = 5;
constexpr std::uint32_t quick_events_max = 3;

level::Level text_of(const check::AskedLevel& level) {
  return level.definition ? *level.definition : *level::standard_level(level.name);
}

// What --level allows must be among what the base allows, or histories would be missed.
bool implies(const std::optional<check::AskedLevel>& level, const check::AskedLevel& base,
             const Budget& budget) {
  if (!level) return false;
  if (check::is_stronger_or_equal(*level, base)) return true;
  if (level->built_in && base.built_in) return false;
  return synth::prove_implication(text_of(*level), text_of(base),
                                  budget.within(proof_seconds_max))
             .proof() != nullptr;
}

bool is_equivalent(const level::Level& a, const level::Level& b, const Budget& budget) {
  return synth::prove_implication(a, b, budget).proof() != nullptr &&
         synth::prove_implication(b, a, budget).proof() != nullptr;
}

// Whether it is one of the levels that are known to be extensible, in other words.
bool is_proved_extensible(const check::AskedLevel& base, const Budget& budget) {
  const auto known = level::parse_levels("extensible", explore::extensible_levels());
  return std::ranges::any_of(known.value(), [&](const level::Level& level) {
    return is_equivalent(text_of(base), level, budget.within(1));
  });
}

std::string history_text(const history::History& history) {
  const auto written = history::write_history(history, "hist");
  std::istringstream lines(written ? written->bytes : "");
  std::string out;
  for (std::string line; std::getline(lines, line);)
    out += fmt::format("  {}\n", line);
  return out;
}

std::string not_extensible_text(const std::string& base,
                                const explore::NotExtensible& found) {
  std::string out = fmt::format(
      "--base {0}: histories would be missed, since it is not {1}. {0} allows\n{2}", base,
      found.gap == explore::Gap::Prefix ? "prefix-closed" : "causally extensible",
      history_text(found.allowed));
  if (found.gap == explore::Gap::Prefix)
    return out + "but not its prefix\n" + history_text(found.forbidden.front());
  out += fmt::format("but not that {}", found.event);
  return found.gap == explore::Gap::Read
             ? out + ", from whomever of those it already depends on"
             : out;
}

// A quick search first, since most of what is no base is refuted at once; then a proof;
// then the whole search.
void check_extensible(explore::Options& asked, OptionReader& reader) {
  const check::AskedLevel& base = *asked.base_text;
  explore::Extensibility found =
      explore::extensibility_of(base, asked.budget, quick_events_max);
  if (!found.counterexample) {
    asked.is_base_proved = is_proved_extensible(base, asked.budget);
    if (asked.is_base_proved) return;
    found = explore::extensibility_of(base, asked.budget);
  }
  if (found.counterexample)
    reader.fail(not_extensible_text(base.name, *found.counterexample));
}

void read_base(const Arguments& arguments, OptionReader& reader, explore::Options& out) {
  if (!arguments.has("--base")) return;
  const std::string word = arguments.value("--base");
  if (const auto base = explore::base_named(word); base == Base::True) {
    out.base = Base::True;
    return;
  }
  const std::vector<NamedLevel> named = named_levels({word}, reader);
  if (named.size() != 1) return;
  const check::AskedLevel base(named.front().name, named.front().level);
  if (!implies(out.level, base, out.budget)) {
    reader.fail(
        fmt::format("--base {0}: {1} is not known to imply {0}, so histories of "
                    "{1} would be missed",
                    base.name, out.level ? out.level->name : "true"));
    return;
  }
  if (base.built_in) out.base = explore::base_named(check::info(*base.built_in).name);
  if (out.base) return;
  out.base_text = base;
  check_extensible(out, reader);
}

explore::Options options_in(const Arguments& arguments, OptionReader& reader) {
  explore::Options out;
  if (arguments.value("--level") == "true")
    out.level.reset();
  else if (const auto level = level_in(arguments, reader))
    out.level = *level;
  out.algorithm =
      static_cast<Algorithm>(reader.choice("--algorithm", algorithm_names(), 0));
  out.find = static_cast<Find>(reader.choice("--find", find_names(), 0));
  out.granularity = granularity_in(reader);
  out.prune = !arguments.has("--no-prune");
  out.minimise = !arguments.has("--no-minimise");
  out.jobs = static_cast<unsigned>(reader.integer("--jobs", 1, 1, jobs_max));
  out.budget = arguments.budget();
  read_base(arguments, reader, out);
  return out;
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  return {
      .options = options_in(arguments, reader),
      .workload = workload_in(arguments, reader),
      .seed = reader.integer("--seed", 1, 0, UINT64_MAX / 2),
      .server = server_wish_in(arguments, reader),
      .files = documents_in(arguments, reader),
      .histories = arguments.value("--histories"),
      .output = arguments.value("--output"),
      .format = output_format_in(arguments, reader),
      .command = fmt::format("{} {}", command_typed("explore", explore_options, arguments),
                             arguments.value("app"))};
}

Expected<Program> program_in(const Arguments& arguments, const Request& request) {
  Expected<Program> program =
      read_program_at_abstract_level(arguments, arguments.value("app"));
  if (!program || !request.workload) return program;
  if (program->workload.empty())
    return tl::unexpected(
        Diagnostics{diagnostic_of_file(program->file, "the scenario has no [workload]")});
  return program::with_workload(*program, *request.workload, request.seed);
}

// What keeps the program from being explored.
Diagnostics obstacles(const Program& program) {
  if (program.sessions.empty())
    return {diagnostic_of_file(program.file,
                               program.workload.empty()
                                   ? "the program has no sessions to explore"
                                   : "the scenario has no sessions to explore; try "
                                     "--workload small")};
  Diagnostics errors = program::database_only(program, program::called_types(program));
  return errors.empty() ? store::missing_values(program) : errors;
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
      .command = request.files.html.empty() ? request.command : "",
      .width = output_width()};
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

// The failure on the server that is wished.
std::optional<reproduce::Tried> failure_on(const std::optional<reproduce::Target>& target,
                                           const Program& program, const Request& request,
                                           const explore::Result& result) {
  if (!result.failure) return std::nullopt;
  const std::optional<check::AskedLevel>& level = request.options.level;
  return tried_there(target, program, result.failure.value()->name,
                     level ? level->name : "");
}

int explore_program(const Program& program, const Request& request,
                    const std::optional<reproduce::Target>& target) {
  HistoryFile file(request.histories);
  if (file.complaint()) return complain(*file.complaint());
  const explore::Result result = explored(program, request.options, file);
  if (const std::optional<std::string>& why = file.finish()) return complain(*why);
  const auto there = failure_on(target, program, request, result);
  int status = show(request, {.program = program,
                              .options = request.options,
                              .result = result,
                              .there = there ? &*there : nullptr});
  if (!request.output.empty() && result.failure)
    status = worst(status, write_as("explore", result.failure.value()->history,
                                    request.format, request.output));
  return status == status_nothing_found ? status_of(result) : status;
}

int run_explore(const Arguments& arguments) {
  if (asks_for_database(arguments)) return explore_at_database(arguments);
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (arguments.has("--set"))
    reader.fail("--set needs a level of a database, such as --level sqlite:DEFERRED");
  for (const char* const option : {"--psql", "--isolation-spec"})
    if (arguments.has(option))
      reader.fail(
          fmt::format("{} needs a level of PostgreSQL, such as --level pg:RC", option));
  if (reader.error()) return usage_failure("explore", *reader.error());
  const Expected<Program> program = program_in(arguments, request);
  Diagnostics errors = program ? obstacles(*program) : program.error();
  if (errors.empty()) errors = obstacles_there(request.server, *program);
  if (!errors.empty()) return refuse_input(errors, request.files);
  warn_of_databases(*program, program::called_types(*program),
                    {request.options.level ? request.options.level->name : ""}, arguments);
  const auto target = target_in(request.server, database_of(request.server), arguments);
  if (!target) return target.error();
  return explore_program(*program, request, *target);
}

}  // namespace

constinit const Command explore_command = {
    .name = "explore",
    .purpose = "Run programs",
    .summary = "Every history of a program that a level allows, and the first that fails",
    .synopsis = "APP [--level L] [--base L0] [--find WHAT] [--workload W] [--histories F]",
    .description =
        "Runs the sessions of a program in every way that a level allows, each history "
        "once: whatever the database may do, one of them is it. Checks the assertions of "
        "the program and the invariants of the scenario in each, and shows the first "
        "history that fails: who read what from whom, at which line of the program, how it "
        "ends, and which levels would have prevented it.\n\n"
        "The levels RC, RA and CC are explored directly; a stronger one decides over the "
        "histories of the strongest of these that it implies, or of --base. A base that is "
        "not known to be prefix-closed and causally extensible is searched for a small "
        "history "
        "that shows that it is not, and refused with it; without one the answer "
        "is open (status 3) unless a failing history is found.\n\n"
        "At a level of a database (pg:RC, sqlite:DEFERRED; 'isomer levels' has all) every "
        "schedule of statements is "
        "tried on a model of the server, with its locks, waits and errors. Schedules that "
        "nobody can tell apart are one outcome; the first that breaks an invariant is "
        "shown as a table with a column for each session, and which abstract levels allow "
        "it "
        "as a history; -o saves that.\n\n"
        "The exit status is 0 if no history fails, 1 if one does (with --find "
        "unserializable: if one is not serializable), 3 if the search was stopped before "
        "it found one.",
    .options = explore_options,
    .examples = explore_examples,
    .run = run_explore,
};

}  // namespace isomer::cli
