// SPDX-License-Identifier: MIT
// isomer compare: how two levels relate, or all of them.
#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "cli/shared_options.h"
#include "level/library.h"
#include "report/compare/report.h"
#include "report/picture/picture.h"
#include "synth/compare.h"

namespace isomer::cli {
namespace {

constexpr Option compare_options[] = {
    {.name = "--all",
     .takes = Takes::Nothing,
     .help = "Compare all levels of the standard library, each with each."},
    {.name = "--scope",
     .argument = scope_syntax,
     .help = "Search histories of up to T transactions, K keys and V values, the initial "
             "one among them (5,3,6; with --all 4,2,4); with at most O operations in each "
             "transaction, and I as the initial value (0)."},
    {.name = "--prove",
     .takes = Takes::Nothing,
     .help = "Where no history in scope tells two levels apart, try to prove that none of "
             "any size does."},
    json_option(
        "Print one JSON document instead of text (docs/schema/compare.schema.json)."),
    html_option("Write a page with pictures. '-' is standard output, and then no text is "
                "printed."),
    {.name = "--svg",
     .argument = "F",
     .help = "Write the picture alone: the histories, or with --all "
             "the levels, stronger ones higher.",
     .completes = Completes::Files},
    dot_option,
    {.name = "level",
     .argument = "L",
     .takes = Takes::Many,
     .help = "The two levels to compare.",
     .completes = Completes::Choices,
     .choices = standard_level_names},
};

constexpr Example compare_examples[] = {
    {"isomer compare PC PSI", "two levels, each of which allows what the other forbids"},
    {"isomer compare SI PC --html relation.html", "what snapshot isolation adds"},
};

struct Request {
  std::vector<NamedLevel> levels;
  bool all = false;
  synth::CompareOptions compare;
  DocumentFiles files;
  report::CompareTextOptions text;
};

Request request_in(const Arguments& arguments, OptionReader& reader) {
  constexpr synth::Scope scope_of_all{4, 2, 4};
  Request out{.levels = named_levels(arguments.values("level"), reader),
              .all = arguments.has("--all"),
              .compare = {.search = {.scope = scope_in(arguments, reader),
                                     .budget = arguments.budget()},
                          .prove = arguments.has("--prove")},
              .files = documents_in(arguments, reader),
              .text = {.colour = is_output_colourful(), .command = {}}};
  if (!arguments.has("--html"))
    out.text.command = command_typed("compare", compare_options, arguments);
  if (out.all && !out.levels.empty()) reader.fail("--all takes no levels");
  if (!out.all && out.levels.size() != 2)
    reader.fail(fmt::format("expected two levels, or --all; found {}", out.levels.size()));
  if (out.all && !out.compare.search.scope) out.compare.search.scope = scope_of_all;
  return out;
}

int compare_two(const Request& request) {
  const NamedLevel& left = request.levels[0];
  const NamedLevel& right = request.levels[1];
  const synth::Comparison comparison = with_progress(
      request.compare.search.budget, "comparing",
      [&] { return synth::compare(left.level, right.level, request.compare); });
  const report::Compared compared{
      .left = left.name, .right = right.name, .comparison = comparison};
  const int status =
      write_documents("compare", request.files,
                      {.text = [&] { return report::compare_text(compared, request.text); },
                       .json = [&] { return report::compare_json(compared); },
                       .dot = [&] { return report::compare_dot(compared); },
                       .html = [&] { return report::compare_html(compared); }});
  const bool is_unknown = comparison.relationship == synth::Relationship::Unknown;
  return worst(status, is_unknown ? status_undecided : status_nothing_found);
}

int compare_all(const Request& request) {
  const synth::Lattice lattice = with_progress(
      request.compare.search.budget, "comparing all levels",
      [&] { return synth::lattice(level::standard_levels(), request.compare); });
  const int status = write_documents(
      "compare", request.files,
      {.text = [&] { return report::lattice_text(lattice, request.text); },
       .json = [&] { return report::lattice_json(lattice); },
       .dot = [&] { return report::lattice_dot(lattice); },
       .html = [&] { return report::lattice_html(lattice); },
       .svg = [&] { return report::svg_of_dot(report::lattice_dot(lattice)); }});
  return worst(status, lattice.is_complete ? status_nothing_found : status_undecided);
}

int run_compare(const Arguments& arguments) {
  OptionReader reader(arguments);
  const Request request = request_in(arguments, reader);
  if (reader.error()) return usage_failure("compare", *reader.error());
  return request.all ? compare_all(request) : compare_two(request);
}

}  // namespace

constinit const Command compare_command = {
    .name = "compare",
    .purpose = "Understand isolation levels",
    .summary = "Which of two levels is stronger, and a history that shows it",
    .synopsis = "L1 L2 | --all [--scope T,K,V[,O[,I]]] [--prove]",
    .description =
        "Tells whether two levels allow the same histories, whether one allows fewer, or "
        "whether each allows what the other forbids; and shows the smallest history for "
        "every difference. That there is no difference is said up to the scope, or for "
        "histories of any size if --prove finds a proof.\n\n"
        "The exit status is 0 if the relation was decided, 3 if not.",
    .options = compare_options,
    .examples = compare_examples,
    .run = run_compare,
};

}  // namespace isomer::cli
