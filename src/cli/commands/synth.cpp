// SPDX-License-Identifier: MIT
// isomer synth: a history that some levels allow and others forbid.
#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "report/synth/report.h"
#include "synth/prove.h"

namespace isomer::cli {
namespace {

using synth::Baseline;
using synth::Outcome;

std::vector<std::string> baseline_names() {
  return {"no-fixed-order", "no-smart-search", "naive"};  // as synth::Baseline, from 1
}

std::vector<std::string> algorithm_names() {
  return {"cegis", "no-learning", "brute-force"};  // as synth::Algorithm
}

constexpr Option synth_options[] = {
    {.name = "--allow",
     .argument = "L",
     .takes = Takes::Many,
     .help = "A level that must allow the history; may be repeated or a list with commas.",
     .completes = Completes::Choices,
     .choices = standard_level_names},
    {.name = "--forbid",
     .argument = "L",
     .takes = Takes::Many,
     .help = "A level that must not allow it; may be repeated or a list with commas.",
     .completes = Completes::Choices,
     .choices = standard_level_names},
    {.name = "--scope",
     .argument = scope_syntax,
     .help = "Search histories of up to T transactions, K keys and V values, the initial "
             "one among them (5,3,6); with at most O operations in each transaction, and "
             "I as the initial value (0)."},
    {.name = "--any",
     .takes = Takes::Nothing,
     .help = "The first history found, not the smallest one."},
    {.name = "--all-minimal",
     .argument = "N",
     .help = "Up to N smallest histories, no two the same up to names."},
    {.name = "--no-blind-writes",
     .takes = Takes::Nothing,
     .help = "A transaction reads every key before it writes it."},
    {.name = "--so-partial-order",
     .takes = Takes::Nothing,
     .help = "Session order may be any partial order; without it, sessions are chains."},
    {.name = "--prove",
     .takes = Takes::Nothing,
     .help = "If there is none in scope, try to prove that there is none of any size."},
    {.name = "--algorithm",
     .argument = "A",
     .help = "How to search: learn from every history that failed (cegis), let a solver "
             "propose others (no-learning), or try all of them (brute-force).",
     .completes = Completes::Choices,
     .choices = algorithm_names},
    {.name = "--baseline",
     .argument = "B",
     .help = "Search in a plainer way, to measure what the better one gains.",
     .completes = Completes::Choices,
     .choices = baseline_names},
    json_option("Print one JSON document instead of text (docs/schema/synth.schema.json)."),
    html_option("Write a page with a picture. '-' is standard output, and then no text is "
                "printed."),
    svg_option,
    dot_option,
    output_option("Save the (first) history, for 'isomer check'."),
    to_option,
};

constexpr Example synth_examples[] = {
    {"isomer synth --allow CC --forbid SI", "the least that snapshot isolation rules out"},
    {"isomer synth --allow SI --forbid SER --html skew.html",
     "a picture of what is not serializable"},
};

struct Request {
  std::vector<NamedLevel> allow;
  std::vector<NamedLevel> forbid;
  synth::Options search;
  DocumentFiles files;
  bool prove = false;
  std::string output;
  std::string format;   // of `output`
  std::string command;  // as typed, without where results go
};

Baseline baseline_in(const Arguments& arguments, OptionReader& reader) {
  if (!arguments.has("--baseline")) return Baseline::None;
  return static_cast<Baseline>(1 + reader.choice("--baseline", baseline_names(), 0));
}

Request request_in(const Arguments& arguments, OptionReader& reader) {
  constexpr std::uint32_t count_max = 1000;
  Request out{
      .allow = named_levels(arguments.values("--allow"), reader),
      .forbid = named_levels(arguments.values("--forbid"), reader),
      .search = {.scope = scope_in(arguments, reader),
                 .want = arguments.has("--any") ? synth::Want::Any : synth::Want::Smallest,
                 .count = static_cast<std::uint32_t>(
                     reader.integer("--all-minimal", 1, 1, count_max)),
                 .allows_blind_writes = !arguments.has("--no-blind-writes"),
                 .is_so_partial_order = arguments.has("--so-partial-order"),
                 .algorithm = static_cast<synth::Algorithm>(
                     reader.choice("--algorithm", algorithm_names(), 0)),
                 .baseline = baseline_in(arguments, reader),
                 .budget = arguments.budget()},
      .files = documents_in(arguments, reader),
      .prove = arguments.has("--prove"),
      .output = arguments.value("--output"),
      .format = output_format_in(arguments, reader),
      .command = command_typed("synth", synth_options, arguments)};
  if (arguments.has("--any") && arguments.has("--all-minimal"))
    reader.fail("--any and --all-minimal exclude each other");
  if (arguments.has("--baseline") && out.search.algorithm != synth::Algorithm::Cegis)
    reader.fail("--baseline is a variant of --algorithm cegis");
  if (out.forbid.empty())
    reader.fail("name a level with --forbid L; without any, the simplest history would do");
  return out;
}

// Why no history of any size is one, if that can be proved: some level that should allow it
// implies one that should forbid it.
std::string proof(const Request& request) {
  for (const NamedLevel& strong : request.allow)
    for (const NamedLevel& weak : request.forbid) {
      const synth::ProofResult result = synth::prove_implication(
          strong.level, weak.level,
          request.search.budget.within(synth::prove_seconds_default));
      if (const synth::Proved* proved = result.proof())
        return fmt::format(
            "{} implies {}{}", strong.name, weak.name,
            proved->choice.empty() ? "" : fmt::format(", with {}", proved->choice));
    }
  return {};
}

int status_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Found:
      return status_nothing_found;
    case Outcome::None:
      return status_found;
    case Outcome::Unknown:
      return status_undecided;
  }
  return status_internal_error;
}

int save(const Request& request, const synth::Found& found) {
  if (!found.so.empty())
    print_warnings(request.output,
                   {"the file keeps the session order only within each session"});
  return write_as("synth", found.history, request.format, request.output);
}

int show(const Request& request, const report::Synthesized& synthesized) {
  const report::SynthTextOptions text{
      .colour = is_output_colourful(),
      .command = request.files.html.empty() ? request.command : ""};
  return write_documents("synth", request.files,
                         {.text = [&] { return report::synth_text(synthesized, text); },
                          .json = [&] { return report::synth_json(synthesized); },
                          .dot = [&] { return report::synth_dot(synthesized); },
                          .html = [&] { return report::synth_html(synthesized); }});
}

int run_synth(const Arguments& arguments) {
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("synth", *reader.error());
  const synth::Result result = with_progress(request.search.budget, "searching", [&] {
    return synth::synth(texts_of(request.allow), texts_of(request.forbid), request.search);
  });
  count(request.search.budget, "candidates", result.stats.candidates);
  report::Synthesized synthesized{
      .allow = names_of(request.allow),
      .forbid = names_of(request.forbid),
      .result = result,
      .algorithm = algorithm_names()[static_cast<std::size_t>(request.search.algorithm)],
      .is_smallest_wanted = request.search.want == synth::Want::Smallest,
      .proof = {}};
  if (request.prove && result.outcome == Outcome::None)
    synthesized.proof =
        with_progress(request.search.budget, "proving", [&] { return proof(request); });
  int status = show(request, synthesized);
  if (!request.output.empty() && !result.found.empty())
    status = worst(status, save(request, result.found.front()));
  return status == status_nothing_found ? status_of(result.outcome) : status;
}

}  // namespace

constinit const Command synth_command = {
    .name = "synth",
    .purpose = "Understand isolation levels",
    .summary = "The smallest history that some levels allow and others forbid",
    .synopsis = "--allow L... --forbid L... [--scope T,K,V[,O[,I]]]",
    .description =
        "Searches all histories of a bounded size for one that every level of --allow "
        "allows and every level of --forbid forbids, and shows the smallest: what happens "
        "in it, how the ones explain it, and why the others cannot.\n\n"
        "The exit status is 0 if there is one, 1 if there is none in scope, 3 if that was "
        "not decided.",
    .options = synth_options,
    .examples = synth_examples,
    .run = run_synth,
};

}  // namespace isomer::cli
