// SPDX-License-Identifier: MIT
// The result as a page that needs nothing but itself: the table of levels, then one
// violation as a picture and step by step.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/print/print.h"
#include "report/check/wording.h"
#include "report/database/report.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/program/report.h"
#include "report/verify/report.h"

namespace isomer::report {
namespace {

using verify::Answer;
using verify::Counterexample;
using verify::Verdict;

std::string cell(const Answer& answer) {
  constexpr std::string_view classes[] = {"ok", "no", "unknown"};
  return fmt::format(
      "<td class=\"{}\" title=\"{:.2f} s{}\">{}</td>",
      classes[static_cast<std::size_t>(answer.verdict)], answer.seconds,
      answer.unknown.empty() ? "" : fmt::format(": {}", escape_html(answer.unknown)),
      verdict_word(answer.verdict));
}

// A row for each level, as in the text.
std::string table(const Verified& v) {
  const std::vector<std::string> invariants = invariants_of(v.result);
  std::string head = "<tr><th></th>";
  for (const std::string& invariant : invariants)
    head += fmt::format("<th>{}</th>", escape_html(printable(invariant, 100)));
  std::string rows;
  for (const verify::LevelAnswer& level : v.result.levels) {
    rows += fmt::format("<tr><th class=\"level\">{}</th>",
                        escape_html(printable(level.level, level_width_max)));
    for (const std::string& invariant : invariants) {
      const auto answer = std::ranges::find(level.answers, invariant, &Answer::invariant);
      rows += answer == level.answers.end() ? "<td></td>" : cell(*answer);
    }
    rows += "</tr>\n";
  }
  return fmt::format("<table class=\"verdicts\">\n{}</tr>\n{}</table>\n", head, rows);
}

std::string start(const Counterexample& example) {
  std::vector<std::string> values;
  for (const auto& [name, value] : example.symbols)
    values.push_back(fmt::format("?{} = {}", name, program::to_literal(value)));
  std::string out = "<h2>It starts with</h2>\n";
  if (!values.empty())
    out += fmt::format("<p class=\"mono\">{}</p>\n",
                       escape_html(fmt::format("{}", fmt::join(values, ", "))));
  out += example.initial_state.empty()
             ? "<p>empty tables</p>\n"
             : fmt::format("<pre>{}</pre>\n",
                           escape_html(state_text(example.program, example.initial_state,
                                                  program::Granularity::Row,
                                                  EmptyTables::Hide, Ink(false))));
  std::string seen;
  for (const std::string& sentence : visibility_sentences(example))
    seen +=
        fmt::format("<li><b class=\"vis\">vis</b> &ensp;{}</li>\n", escape_html(sentence));
  if (seen.empty()) return out;
  return out + fmt::format("<h3>Who sees whom</h3>\n<ul class=\"calls\">\n{}</ul>\n", seen);
}

}  // namespace

std::string verify_dot(const Verified& v) {
  std::string part;
  if (const Violation* violation = told_violation(v)) {
    const Scene scene = failing_history_scene(failing_history(*violation));
    part = dot_cluster(scene, "h", scene.title);
  } else {
    part = "  none [shape=note, label=\"no violation was found\"];\n";
  }
  return dot_document(std::span(&part, 1));
}

std::string verify_html(const Verified& v) {
  std::string out =
      fmt::format("<section>\n<h1>{}</h1>\n<p class=\"facts\">{}; {:.2f} s</p>\n",
                  escape_html(printable(v.program.file, 400)),
                  escape_html(question_text(v)), v.result.seconds);
  if (invariants_of(v.result).empty())
    out += fmt::format("<p>{}</p>\n", escape_html(nothing_to_verify));
  else
    out +=
        lead(v.violations.empty() ? Tone::Good : Tone::Bad, sufficiency_text(v)) + table(v);
  if (!v.result.bounds.empty())
    out += fmt::format("<p class=\"aside\">What a proof is for: {}</p>\n",
                       escape_html(fmt::format("{}", fmt::join(v.result.bounds, "; "))));
  if (const Violation* violation = told_violation(v))
    out += failing_history_html(failing_history(*violation), violation_headline(*violation),
                                start(*violation->answer.counterexample)) +
           tried_section(v.there);
  out += "</section>\n";
  return page("isomer verify", "which levels keep the invariants of a program",
              std::span(&out, 1));
}

}  // namespace isomer::report
