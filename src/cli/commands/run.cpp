// SPDX-License-Identifier: MIT
// isomer run: run a program under a level, once or many times.
#include <algorithm>

#include <fmt/format.h>

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
#include "history/formats.h"
#include "program/database_only.h"
#include "program/scenario/scenario.h"
#include "report/check/wording.h"
#include "report/run/report.h"
#include "store/campaign.h"
#include "store/script.h"

namespace isomer::cli {
namespace {

using program::Program;
using store::Policy;
using store::Store;

std::vector<std::string> policy_names() {
  return {"latest", "random", "script"};  // as store::Policy
}

constexpr std::uint64_t runs_max = 10'000'000;

constexpr Option run_options[] = {
    {.name = "--level",
     .argument = "L",
     .help =
         "The level that the store keeps to. Reads are then random unless --policy "
         "says otherwise. A level of a database, such as pg:RC or sqlite:DEFERRED, runs "
         "statement by statement on its model.",
     .completes = Completes::Choices,
     .choices = standard_level_names},
    {.name = "--policy",
     .argument = "P",
     .help = "What a read returns: 'latest', what was committed last (a serial run); "
             "'random', any version that the level still allows; 'script', what --script "
             "says.",
     .completes = Completes::Choices,
     .choices = policy_names},
    {.name = "--seed",
     .argument = "N",
     .help = "Chooses the order of transactions, random reads and the workload (1)."},
    {.name = "--runs",
     .argument = "N",
     .help = "Run N times, with seeds from --seed on, and summarise."},
    workload_option,
    {.name = "--script",
     .argument = "FILE",
     .help = "A history of the same program: each read returns what it says, and the first "
             "difference is told.",
     .completes = Completes::Files},
    {.name = "--schedule",
     .argument = "S",
     .help =
         "At a level of a database: whose statement comes next, as in \"ann bob bob "
         "ann\". COMMIT is an entry, BEGIN goes with the first statement. What is "
         "left goes on session by session. bob/2: meanwhile the server takes the second "
         "of its possibilities, as a plan or a victim."},
    set_option,
    on_option,
    local_option,
    keep_option,
    psql_option,
    isolation_spec_option,
    granularity_option,
    output_option("Save the history of the run, for 'isomer check'."),
    to_option,
    json_option("Print one JSON document instead of text (docs/schema/run.schema.json)."),
    html_option("At a level of a database: write a page with a picture of the run."),
    svg_option,
    runnable_program_option,
};

constexpr Example run_examples[] = {
    {"isomer run --level CC --runs 100 examples/apps/simple_bank/write_skew.toml",
     "how often causal consistency lets a small bank overdraw"},
    {"isomer run --level pg:RC --seed 2 examples/apps/simple_bank/write_skew.toml",
     "a schedule of its statements, on the model of PostgreSQL"},
    {"isomer run --level sqlite:DEFERRED --runs 100 examples/withdraw.toml",
     "how often SQLite is busy when two withdraw at once"},
};

struct Request {
  store::Options options;
  std::uint64_t runs = 1;
  bool has_runs = false;
  std::optional<program::WorkloadSize> workload;
  bool has_script = false;
  std::optional<history::History> script;  // once it has been read
  std::string format;                      // of --output
  std::string command;
};

void check_policy(const Request& request, OptionReader& reader) {
  const Policy policy = request.options.policy;
  if (policy == Policy::Random && !request.options.level)
    reader.fail("--policy random needs --level: which versions may a read return?");
  if ((policy == Policy::Script) != request.has_script)
    reader.fail("--policy script and --script belong together");
}

// The command that does one of the runs again, once a seed is added.
std::string repeated_command(const Arguments& arguments) {
  std::string out = "isomer run";
  for (const char* option :
       {"--level", "--policy", "--workload", "--script", "--granularity"})
    if (arguments.has(option))
      out += fmt::format(" {} {}", option, arguments.value(option));
  return fmt::format("{} {}", out, arguments.value("app"));
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  Request request;
  request.options.level = level_in(arguments, reader);
  const Policy otherwise = arguments.has("--script") ? Policy::Script
                           : request.options.level   ? Policy::Random
                                                     : Policy::Latest;
  request.options.policy = static_cast<Policy>(
      reader.choice("--policy", policy_names(), static_cast<std::size_t>(otherwise)));
  request.options.granularity = granularity_in(reader);
  request.workload = workload_in(arguments, reader);
  request.options.seed = reader.integer("--seed", 1, 0, UINT64_MAX / 2);
  request.has_runs = arguments.has("--runs");
  request.runs = reader.integer("--runs", 1, 1, runs_max);
  request.has_script = arguments.has("--script");
  request.options.budget = arguments.budget();
  request.format = output_format_in(arguments, reader);
  check_policy(request, reader);
  if (request.has_runs && request.has_script)
    reader.fail("a script decides every read, so one run says all; leave out --runs");
  if (request.has_runs && arguments.has("--output"))
    reader.fail("--output saves one run; leave out --runs");
  for (const char* const option : {"--schedule", "--set", "--html", "--svg", "--on",
                                   "--local", "--keep", "--psql", "--isolation-spec"})
    if (arguments.has(option))
      reader.fail(
          fmt::format("{} needs a level of a database, such as --level pg:RC", option));
  request.command = repeated_command(arguments);
  return request;
}

// The program with the calls that a seed draws, if a workload is wanted.
class Programs {
 public:
  Programs(const Program& program, const Request& request)
      : program_(program), workload_(request.workload) {
    if (!workload_) store_.emplace(program_);
  }

  // Null if the workload draws what its calls cannot take; errors() says what.
  const Store* store(std::uint64_t seed) {
    if (workload_ && (!drawn_ || drawn_seed_ != seed)) {
      Expected<Program> drawn = program::with_workload(program_, *workload_, seed);
      if (!drawn) {
        errors_ = drawn.error();
        return nullptr;
      }
      store_.reset();
      drawn_ = std::move(*drawn);
      drawn_seed_ = seed;
      store_.emplace(*drawn_);
    }
    return &*store_;
  }

  [[nodiscard]] const Diagnostics& errors() const { return errors_; }

  // After store(): what is run.
  [[nodiscard]] const Program& program() const { return drawn_ ? *drawn_ : program_; }

 private:
  const Program& program_;
  std::optional<program::WorkloadSize> workload_;
  std::optional<Program> drawn_;
  std::uint64_t drawn_seed_ = 0;
  std::optional<Store> store_;
  Diagnostics errors_;
};

int refuse(const Diagnostics& errors, const Arguments& arguments) {
  if (arguments.has("--json")) write_bytes("-", report::run_errors_json(errors));
  fmt::print(stderr, "{}", render(errors));
  return status_bad_input;
}

int refuse_script(const Unread& unread, const Arguments& arguments) {
  if (!unread.limit) return refuse(unread.errors, arguments);
  DocumentFiles files;
  files.json = arguments.has("--json");
  return refuse_input("run", unread, files);
}

int run_once(Programs& programs, const Request& request, const Arguments& arguments) {
  const Store* store = programs.store(request.options.seed);
  if (store == nullptr) return refuse(programs.errors(), arguments);
  if (request.script) {
    const store::Script script = store::make_script(programs.program(), *request.script);
    if (!script.problem.empty())
      return refuse(
          {diagnostic_of_file(arguments.value("--script"),
                              fmt::format("this is no history of {}: {}",
                                          arguments.value("app"), script.problem))},
          arguments);
  }
  const Progress progress(arguments.budget(),
                          fmt::format("running {}", arguments.value("app")));
  const store::Run run = store->run(request.options);
  const report::RunShown shown{
      .program = programs.program(),
      .options = request.options,
      .run = run,
      .is_serializable = store::is_serializable(run, request.options.budget)};
  if (arguments.has("--output")) {
    const int saved =
        write_as("run", run.history, request.format, arguments.value("--output"));
    if (saved != status_nothing_found) return saved;
  }
  const int written = write_bytes_or_complain(
      "run", "-",
      arguments.has("--json") ? report::run_json(shown)
                              : report::run_text(shown, {.colour = is_output_colourful(),
                                                         .command = request.command}));
  if (written != status_nothing_found) return written;
  if (!run.unknown.empty()) return status_undecided;
  return store::is_failing(run) ? status_found : status_nothing_found;
}

int run_often(Programs& programs, const Request& request, const Arguments& arguments) {
  const Progress progress(arguments.budget(),
                          fmt::format("running {}", arguments.value("app")));
  const store::Campaign campaign =
      store::run_many([&](std::uint64_t seed) { return programs.store(seed); },
                      request.options, request.runs);
  if (!programs.errors().empty()) return refuse(programs.errors(), arguments);
  count(arguments.budget(), "runs", campaign.runs);
  count(arguments.budget(), "transactions run", campaign.transactions);
  const report::CampaignShown shown{programs.program(), request.options, campaign};
  const int written = write_bytes_or_complain(
      "run", "-",
      arguments.has("--json")
          ? report::campaign_json(shown)
          : report::campaign_text(
                shown, {.colour = is_output_colourful(), .command = request.command}));
  if (written != status_nothing_found) return written;
  if (!campaign.unknown.empty()) return status_undecided;
  return campaign.failing > 0 ? status_found : status_nothing_found;
}

// Why there is nothing to run; empty if there is.
std::string nothing_to_run(const Program& program, const Request& request) {
  if (request.workload)
    return program.workload.empty() ? "--workload: the scenario has no [workload]" : "";
  if (std::ranges::any_of(program.sessions,
                          [](const auto& session) { return !session.calls.empty(); }))
    return {};
  if (!program.workload.empty())
    return "the scenario has no sessions; try --workload small";
  return program.file.ends_with(".sql")
             ? "an application has no calls to run; a scenario (.toml) says which they are"
             : "the program has no sessions with calls to run";
}

std::vector<std::uint32_t> used_types(const Program& program, const Request& request) {
  return request.workload ? program::workload_types(program)
                          : program::called_types(program);
}

// What keeps the program from being run as asked.
Diagnostics obstacles(const Program& program, const Request& request) {
  if (std::string reason = nothing_to_run(program, request); !reason.empty())
    return {diagnostic_of_file(program.file, std::move(reason))};
  Diagnostics errors = program::database_only(program, used_types(program, request));
  return errors.empty() && !request.workload ? store::missing_values(program) : errors;
}

int run_run(const Arguments& arguments) {
  if (asks_for_database(arguments)) return run_at_database(arguments);
  OptionReader reader(arguments);
  Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("run", *reader.error());
  if (request.has_script) {
    tl::expected<history::ReadResult, Unread> input =
        read_history(arguments.budget(), arguments.value("--script"), "");
    if (!input) return refuse_script(input.error(), arguments);
    request.script = std::move(input->history);
    request.options.script = &*request.script;
  }
  const Expected<Program> program =
      read_program_at_abstract_level(arguments, arguments.value("app"));
  if (!program) return refuse(program.error(), arguments);
  if (const Diagnostics errors = obstacles(*program, request); !errors.empty())
    return refuse(errors, arguments);
  if (request.options.level)
    warn_of_databases(*program, used_types(*program, request),
                      {request.options.level->name}, arguments);
  Programs programs(*program, request);
  return request.has_runs ? run_often(programs, request, arguments)
                          : run_once(programs, request, arguments);
}

}  // namespace

constinit const Command run_command = {
    .name = "run",
    .purpose = "Run programs",
    .summary = "Run a program under an isolation level, with reads chosen by the store",
    .synopsis =
        "APP [--level L] [--policy P] [--seed N] [--runs N] [--schedule S] [-o TRACE]",
    .description =
        "Runs the sessions of a program one transaction after another, in an order chosen "
        "by "
        "seed. Without a level every read returns what was committed last, as on a machine "
        "with one user. With a level, a read returns any version that the level still "
        "allows, however odd: what the program does then, it may do one day in production. "
        "A transaction that the level cannot allow is rolled back, as databases do.\n\n"
        "A level may leave open which of two concurrent writes is the last. Then the run "
        "has "
        "several final states, each of which a transaction may read that has seen all "
        "others, and an invariant must hold in every one of them.\n\n"
        "Prints what became of each transaction, the final state, and which invariants "
        "hold.\n\n"
        "At a level of a database (pg:RC, sqlite:DEFERRED; 'isomer levels' has all) the "
        "sessions run side by side, "
        "statement by statement, on a model of the server: they wait for locks, fail with "
        "the server's errors, and are tried again as the scenario says. --seed chooses a "
        "schedule, or --schedule gives one; the run is printed as a table with a column "
        "for each session, and which abstract levels allow it as a history.\n\n"
        "The exit status is 0 if all invariants and assertions hold, 1 if one is broken, 3 "
        "if the time was over before.",
    .options = run_options,
    .examples = run_examples,
    .run = run_run,
};

}  // namespace isomer::cli
