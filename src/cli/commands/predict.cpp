// SPDX-License-Identifier: MIT
// isomer predict: an unserializable run that an observed one could have been.
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/database_level.h"
#include "cli/documents.h"
#include "cli/input.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "history/formats.h"
#include "predict/predict.h"
#include "predict/validate.h"
#include "program/database_only.h"
#include "program/scenario/scenario.h"
#include "report/predict/report.h"
#include "store/campaign.h"

namespace isomer::cli {
namespace {

using history::History;
using predict::Boundary;
using predict::Strategy;
using program::Program;

constexpr std::uint64_t count_max = 1000;

std::vector<std::string> strategy_names() {
  std::vector<std::string> out;
  for (const Strategy strategy : {Strategy::ExactStrict, Strategy::ApproxStrict,
                                  Strategy::ApproxRelaxed, Strategy::ExactRelaxed})
    out.emplace_back(predict::name(strategy));
  return out;
}

std::vector<std::string> boundary_names() {
  std::vector<std::string> out;
  for (const Boundary boundary : {Boundary::Closed, Boundary::AppendixB, Boundary::None})
    out.emplace_back(predict::name(boundary));
  return out;
}

constexpr Option predict_options[] = {
    {.name = "--level",
     .argument = "L",
     .help = "The level that allows the prediction (CC). 'causal' and 'rc' are CC and RC.",
     .completes = Completes::Choices,
     .choices = standard_level_names},
    {.name = "--strategy",
     .argument = "S",
     .help = "'exact' finds every run that no serial order explains, 'approx' those with a "
             "cycle that is easy to see; with 'strict' a session ends with the read that "
             "changes, with 'relaxed' with its transaction (exact-strict).",
     .completes = Completes::Choices,
     .choices = strategy_names},
    {.name = "--boundary",
     .argument = "B",
     .help = "What of the run is still used where reads change: 'closed', nothing that "
             "depends on a transaction whose reads change; 'appendix-b', nothing behind it "
             "in its session; 'none', everything (closed).",
     .completes = Completes::Choices,
     .choices = boundary_names},
    {.name = "--all",
     .argument = "N",
     .help = "Up to N predictions, each of other transactions or another anomaly; fewest "
             "changed reads first."},
    {.name = "--run",
     .argument = "APP",
     .help = "Instead of a trace: run this program serially, and predict from that.",
     .completes = Completes::Files},
    {.name = "--validate",
     .argument = "APP",
     .takes = Takes::OneOrNone,
     .help = "Run the program again with reads as predicted, and tell whether what really "
             "happens is serializable; look for another prediction if it is. Without APP, "
             "that of --run.",
     .completes = Completes::Files},
    workload_option,
    {.name = "--seed",
     .argument = "N",
     .help = "Chooses the order of transactions of --run, and the workload (1)."},
    granularity_option,
    {.name = "--force",
     .takes = Takes::Nothing,
     .help = "Predict from a run that is not serializable itself."},
    format_option("The format of the trace. Without it, it is detected from the content."),
    json_option(
        "Print one JSON document instead of text (docs/schema/predict.schema.json)."),
    html_option("Write a page with pictures of the observed and the predicted run. '-' is "
                "standard output, and then no text is printed."),
    svg_option,
    dot_option,
    output_option("Save the (first) predicted history, for 'isomer check'."),
    to_option,
    {.name = "trace",
     .argument = "TRACE",
     .help = "The observed run: an IsoPredict trace, or a history in any other format; '-' "
             "is standard input.",
     .completes = Completes::Files},
};

constexpr Example predict_examples[] = {
    {"isomer predict examples/bookings.trace",
     "how two clerks could have booked the same room"},
    {"isomer predict --run examples/apps/wikipedia/edit_conflict.toml --validate",
     "what two authors of a page could have seen, and that it does happen"},
};

struct Request {
  const Arguments& arguments;
  predict::Options options;
  std::string trace;
  std::string format;
  std::string run;
  std::optional<std::string> validate;  // the program; empty: that of --run
  std::optional<program::WorkloadSize> workload;
  std::uint64_t seed = 1;
  program::Granularity granularity = program::Granularity::Row;
  bool is_forced = false;
  DocumentFiles files;
  std::string output;
  std::string output_format;
  std::string command;  // as typed, without where results go
};

// The paper's names of levels are understood as well.
std::optional<check::AskedLevel> level_asked(const Arguments& arguments,
                                             OptionReader& reader) {
  const std::string word = arguments.value("--level");
  if (word == "causal") return check::Level::CC;
  return level_in(arguments, reader);
}

predict::Options options_in(const Arguments& arguments, OptionReader& reader) {
  predict::Options out;
  if (const auto level = level_asked(arguments, reader)) out.level = *level;
  out.strategy = static_cast<Strategy>(reader.choice("--strategy", strategy_names(), 0));
  out.boundary = static_cast<Boundary>(reader.choice("--boundary", boundary_names(), 0));
  out.count_max = reader.integer("--all", 1, 1, count_max);
  out.budget = arguments.budget();
  if (check::is_stronger_or_equal(out.level, check::Level::SER))
    reader.fail(fmt::format(
        "{} allows only serializable runs, so there is nothing to predict; try --level CC",
        out.level.name));
  return out;
}

void check_sources(const Request& request, const Arguments& arguments,
                   OptionReader& reader) {
  if (request.trace.empty() == request.run.empty())
    reader.fail(request.trace.empty() ? "no TRACE given, and no --run APP"
                                      : "TRACE and --run exclude each other");
  if (request.validate && request.validate->empty() && request.run.empty())
    reader.fail("--validate needs the program that made the trace: --validate APP");
  const bool has_program = !request.run.empty() || request.validate;
  for (const char* option : {"--workload", "--seed", "--granularity"})
    if (!has_program && arguments.has(option))
      reader.fail(fmt::format("{} is for --run and --validate", option));
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  Request out{.arguments = arguments,
              .options = options_in(arguments, reader),
              .trace = arguments.value("trace"),
              .format = arguments.value("--format"),
              .run = arguments.value("--run"),
              .validate = {},
              .workload = workload_in(arguments, reader),
              .seed = reader.integer("--seed", 1, 0, UINT64_MAX / 2),
              .granularity = granularity_in(reader),
              .is_forced = arguments.has("--force"),
              .files = documents_in(arguments, reader),
              .output = arguments.value("--output"),
              .output_format = output_format_in(arguments, reader),
              .command = command_typed("predict", predict_options, arguments)};
  if (arguments.has("--validate")) out.validate = arguments.value("--validate");
  for (const char* option : {"--run", "--validate", "trace"})
    if (arguments.has(option))
      out.command +=
          option == std::string_view("trace")
              ? fmt::format(" {}", out.trace)
              : fmt::format(" {}{}{}", option, arguments.value(option).empty() ? "" : " ",
                            arguments.value(option));
  reader.choice("--format", format_names(), 0);
  check_sources(out, arguments, reader);
  return out;
}

int refuse_unread(const Unread& unread, const Request& request) {
  if (!unread.limit) return refuse_input(unread.errors, request.files);
  if (request.files.json)
    write_bytes("-", report::predict_json(request.options, *unread.limit));
  print_undecided("predict", *unread.limit);
  return status_undecided;
}

int refuse(const std::string& file, std::string why, const DocumentFiles& files) {
  return refuse_input({diagnostic_of_file(file, std::move(why))}, files);
}

// A program with its calls, ready to run.
class Application {
 public:
  explicit Application(Program program)
      : program_(std::make_unique<Program>(std::move(program))), store_(*program_) {}

  [[nodiscard]] const Program& program() const { return *program_; }

  [[nodiscard]] const store::Store& store() const { return store_; }

 private:
  std::unique_ptr<Program> program_;
  store::Store store_;
};

Expected<Application> application(const std::string& path, const Request& request) {
  Expected<Program> program = read_program_at_abstract_level(request.arguments, path);
  if (program && request.workload && !program->workload.empty())
    program = program::with_workload(*program, *request.workload, request.seed);
  if (!program) return tl::unexpected(program.error());
  std::string why;
  if (request.workload && program->workload.empty()) why = "the scenario has no [workload]";
  if (program->sessions.empty())
    why = program->workload.empty() ? "the program has no sessions to run"
                                    : "the scenario has no sessions; try --workload small";
  if (!why.empty()) return tl::unexpected(Diagnostics{diagnostic_of_file(path, why)});
  Diagnostics errors = program::database_only(*program, program::called_types(*program));
  if (!errors.empty()) return tl::unexpected(std::move(errors));
  return Application(std::move(*program));
}

// What keeps a history from being predicted from.
std::optional<std::string> obstacle(const History& observed, const Request& request) {
  if (const auto why = predict::obstacle(observed))
    return fmt::format("{}; 'isomer check' tells more", *why);
  if (request.is_forced) return std::nullopt;
  if (!predict::is_unserializable_already(observed, request.options.budget))
    return std::nullopt;
  return "what was observed is not serializable already, and that is what 'isomer check' "
         "is for; --force predicts from it all the same";
}

// What was observed, and where from.
struct Observation {
  std::string file;
  History history;
  std::optional<Application> app;  // of --run
};

tl::expected<Observation, Unread> observation(const Request& request) {
  const auto errors = [](Diagnostics found) {
    return tl::unexpected(Unread{.errors = std::move(found), .limit = {}});
  };
  if (request.run.empty()) {
    tl::expected<history::ReadResult, Unread> input =
        read_history(request.options.budget, request.trace, request.format);
    if (!input) return tl::unexpected(input.error());
    print_warnings(request.trace, input->warnings);
    return Observation{request.trace == "-" ? "<stdin>" : request.trace,
                       std::move(input->history), std::nullopt};
  }
  Expected<Application> app = application(request.run, request);
  if (!app) return errors(app.error());
  const Stopwatch stopwatch;
  store::Run run = app->store().run({.policy = store::Policy::Latest,
                                     .level = {},
                                     .seed = request.seed,
                                     .granularity = request.granularity,
                                     .budget = request.options.budget});
  if (!run.unknown.empty())
    return tl::unexpected(Unread{
        .errors = {},
        .limit = report::Undecided{.reason = run.unknown,
                                   .activity = fmt::format("running {}", request.run),
                                   .seconds = stopwatch.seconds()}});
  return Observation{request.run, std::move(run.history), std::move(*app)};
}

int show(const Request& request, const report::Predicted& shown) {
  const report::PredictTextOptions text{
      .colour = is_output_colourful(),
      .command = request.files.html.empty() ? request.command : ""};
  return write_documents("predict", request.files,
                         {.text = [&] { return report::predict_text(shown, text); },
                          .json = [&] { return report::predict_json(shown); },
                          .dot = [&] { return report::predict_dot(shown); },
                          .html = [&] { return report::predict_html(shown); }});
}

int status_of(const predict::Result& result) {
  if (!result.predictions.empty()) return status_found;
  return result.unknown.empty() ? status_nothing_found : status_undecided;
}

// How the program makes each prediction true, or does not.
class Replays {
 public:
  Replays(const Application& app, const History& observed, predict::Calls calls,
          const Request& request)
      : app_(app), observed_(observed), calls_(std::move(calls)), request_(request) {}

  predict::Validation operator()(const predict::Prediction& prediction) const {
    return predict::validate(prediction,
                             {.program = app_.program(),
                              .store = app_.store(),
                              .observed = observed_,
                              .calls = calls_,
                              .granularity = request_.granularity},
                             request_.options.level, request_.options.budget);
  }

 private:
  const Application& app_;
  const History& observed_;
  predict::Calls calls_;
  const Request& request_;
};

// A strict strategy that finds nothing may just use too little of the run: a session then
// ends with the read that changes, so an update that was lost is not seen.  What the
// relaxed one says is worth as long again.
std::optional<report::RelaxedPrediction> relaxed_prediction(
    const History& observed, predict::Options options, const predict::Result& strict,
    const std::optional<Replays>& replays, double seconds) {
  constexpr double seconds_min = 1;
  if (!predict::is_strict(options.strategy) || options.boundary == Boundary::None ||
      !strict.predictions.empty() || !strict.unknown.empty())
    return std::nullopt;
  options.strategy = predict::relaxed(options.strategy);
  options.count_max = 1;
  options.budget = options.budget.within(std::max(seconds_min, 2 * seconds));
  report::RelaxedPrediction out{.strategy = options.strategy,
                                .result = predict::predict(observed, options),
                                .validation = {}};
  if (replays && !out.result.predictions.empty())
    out.validation = (*replays)(out.result.predictions.front());
  return out;
}

int predict_from(const Observation& observation, const Request& request,
                 const Application* app) {
  const Progress progress(request.options.budget,
                          fmt::format("predicting from {}", observation.file));
  const History& observed = observation.history;
  std::optional<Replays> replays;
  predict::Options asked = request.options;
  if (app != nullptr) {
    auto calls = predict::calls_of(app->program(), observed);
    if (!calls)
      return refuse(
          observation.file,
          fmt::format("this is no run of {}: {}", app->program().file, calls.error()),
          request.files);
    replays.emplace(*app, observed, std::move(*calls), request);
    asked.accepts = [&](const predict::Prediction& prediction) {
      return (*replays)(prediction).validity != predict::Validity::Refuted;
    };
  }
  const Stopwatch stopwatch;
  const predict::Result result = predict::predict(observed, asked);
  count(asked.budget, "candidates", result.candidates);
  std::vector<predict::Validation> validated;
  for (const predict::Prediction& prediction : result.predictions) {
    if (replays) validated.push_back((*replays)(prediction));
  }
  int status = show(request, {.file = observation.file,
                              .observed = observed,
                              .options = request.options,
                              .result = result,
                              .validations = validated,
                              .program = app == nullptr ? nullptr : &app->program(),
                              .relaxed = relaxed_prediction(observed, asked, result,
                                                            replays, stopwatch.seconds())});
  if (!request.output.empty() && !result.predictions.empty())
    status = worst(status, write_as("predict", result.predictions.front()->history,
                                    request.output_format, request.output));
  return status == status_nothing_found ? status_of(result) : status;
}

int run_predict(const Arguments& arguments) {
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("predict", *reader.error());
  const tl::expected<Observation, Unread> observed = observation(request);
  if (!observed) return refuse_unread(observed.error(), request);
  if (auto why = obstacle(observed->history, request))
    return refuse(observed->file, std::move(*why), request.files);
  const bool is_same = request.validate && request.validate->empty();
  if (!request.validate || is_same)
    return predict_from(*observed, request, is_same ? &*observed->app : nullptr);
  const Expected<Application> app = application(*request.validate, request);
  if (!app) return refuse_input(app.error(), request.files);
  return predict_from(*observed, request, &*app);
}

}  // namespace

constinit const Command predict_command = {
    .name = "predict",
    .purpose = "Run programs",
    .summary = "An unserializable run that an observed one could have been",
    .synopsis = "TRACE [--level L] [--strategy S] [--validate APP]",
    .description =
        "Reads one run of an application that went well, and looks for another that the "
        "same application could have had under a weak level: some reads return other "
        "versions, and no serial order explains the result. Shows which reads change, why "
        "the run is not serializable, and which levels would have prevented it.\n\n"
        "A program that reads something else may do something else, so of a session "
        "nothing is used behind the first read that changes (see --strategy and "
        "--boundary). --validate runs the program again with reads as predicted and tells "
        "what really happens: 'validated', as predicted; 'diverged', something else, but "
        "not serializable either; 'refuted', a serializable run. A prediction that is "
        "refuted is passed over for one that is not, if there is one.\n\n"
        "The exit status is 0 if there is no prediction, 1 if there is one, 3 if that was "
        "not decided.",
    .options = predict_options,
    .examples = predict_examples,
    .run = run_predict,
};

}  // namespace isomer::cli
