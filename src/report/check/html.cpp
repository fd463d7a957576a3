// SPDX-License-Identifier: MIT
// The result as a page that needs nothing but itself: verdicts, and for each violation a
// picture and its explanation.  The same pictures in DOT.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/finding.h"
#include "report/check/report.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/picture/scene.h"

namespace isomer::report {
namespace {

using history::History;

std::string facts(const Checked& checked) {
  const Size size = size_of(checked.history);
  std::string out = fmt::format("{}, {}, {}", counted(size.sessions, "session"),
                                counted(size.transactions, "transaction"),
                                counted(size.operations, "operation"));
  if (size.aborted != 0) out += fmt::format("; {} aborted", size.aborted);
  if (size.unknown != 0) out += fmt::format("; {} of unknown outcome", size.unknown);
  if (size.ambiguous_reads != 0)
    out += fmt::format("; {} with several possible writers",
                       counted(size.ambiguous_reads, "read"));
  return fmt::format("<p class=\"facts\">{}</p>\n", out);
}

std::string verdict(const Checked& checked, const std::vector<Finding>& found) {
  std::vector<std::string> reasons;
  for (const Finding& finding : found)
    reasons.push_back(fmt::format("{}: {} {} it", finding_title(checked.history, finding),
                                  list(finding.levels),
                                  finding.levels.size() == 1 ? "forbids" : "forbid"));
  if (!reasons.empty()) return lead(Tone::Bad, fmt::format("{}", fmt::join(reasons, "; ")));
  return is_any_undecided(checked.result)
             ? lead(Tone::Unknown, "undecided: no violation was found")
             : lead(Tone::Good, "every level that was asked for allows it");
}

std::string name_of(const check::AskedLevel& level) {
  return escape_html(printable(level.name, level_width_max));
}

std::string explanation(const History& history, const Finding& finding,
                        std::string_view id) {
  const check::Violated& violation = *finding.violation;
  std::string out;
  if (!violation.cycle.empty())
    out += fmt::format(
        "<h3>Why each arrow of the cycle is there</h3>\n"
        "<ol class=\"reasons\">\n{}</ol>\n",
        reasons_list(history, told(violation.cycle), id));
  else if (!violation.problem)
    out += fmt::format("<p>No {} of these {} satisfies {}.</p>\n",
                       finding.levels[0].built_in ? "order" : "execution",
                       counted(violation.transactions.size(), "transaction"),
                       name_of(finding.levels[0]));
  if (!violation.is_minimal)
    out += "<p class=\"aside\">Fewer transactions may show the same.</p>\n";
  return out;
}

std::string one_finding(const History& history, const Finding& finding,
                        std::string_view id) {
  const check::Violated& violation = *finding.violation;
  std::string chips;
  for (const check::AskedLevel& level : finding.levels)
    chips += fmt::format("<span class=\"chip no\" title=\"{}\">{}</span>",
                         escape_html(level.title), name_of(level));
  std::string out = fmt::format("<h2>{} <span class=\"aside\">breaks</span>{}</h2>\n",
                                escape_html(violation.anomaly), chips);
  if (violation.problem)
    out += fmt::format("<p>{}</p>\n", escape_html(sentence(history, *violation.problem)));
  else
    out += fmt::format("<p>{} <span class=\"aside\">({})</span></p>\n",
                       escape_html(violation.summary), escape_html(axioms_text(violation)));
  return out + figure(history, scene_of(history, finding), id) +
         explanation(history, finding, id);
}

std::string whole_history(const Checked& checked, std::string_view id) {
  const std::optional<Scene> scene = whole_scene(checked);
  if (!scene) return {};
  return fmt::format("<h2>{}</h2>\n{}", escape_html(scene->title),
                     figure(checked.history, *scene, id));
}

}  // namespace

std::string check_html_part(const Checked& checked, std::size_t index) {
  const std::vector<Finding> found = findings(checked.result);
  std::string out = fmt::format(
      "<section>\n<h1>{}</h1>\n{}{}{}", escape_html(printable(checked.file, 400)),
      facts(checked), verdict(checked, found),
      verdict_table_html(checked.result) + library_html(checked.result));
  std::size_t number = 0;
  for (const Finding& finding : found)
    out += one_finding(checked.history, finding, fmt::format("p{}-{}", index, number++));
  if (found.empty()) out += whole_history(checked, fmt::format("p{}-w", index));
  return out + "</section>\n";
}

std::string check_html(std::span<const std::string> parts) {
  return page("isomer check", "which isolation levels allow what was recorded", parts);
}

std::string check_dot_part(const Checked& checked, std::size_t index) {
  const std::string file = printable(checked.file, 200);
  std::string out;
  std::size_t number = 0;
  for (const Scene& scene : scenes(checked))
    out += dot_cluster(scene, fmt::format("h{}_{}", index, number++),
                       fmt::format("{}: {}", file, scene.title));
  if (!out.empty()) return out;
  return fmt::format("  h{} [shape=note, label=\"{}: nothing to draw ({})\"];\n", index,
                     dot_quoted(file),
                     counted(size_of(checked.history).transactions, "transaction"));
}

std::string check_dot(std::span<const std::string> parts) {
  return dot_document(parts);
}

}  // namespace isomer::report
