// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/wording.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/synth/separation.h"

namespace isomer::report {
namespace {

std::string chips(const std::vector<std::string>& levels, std::string_view kind) {
  std::string out;
  for (const std::string& level : levels)
    out += fmt::format("<span class=\"chip {}\">{}</span>", kind,
                       escape_html(printable(level, level_width_max)));
  return out;
}

std::string allowed(const Separation& separation) {
  std::string out;
  for (std::size_t i = 0; i < separation.found->allowed.size(); ++i) {
    const synth::Allowed& level = separation.found->allowed[i];
    std::string how;
    for (const synth::ShownRelation& relation : level.relations)
      how += fmt::format("<br><span class=\"mono\">{}</span>",
                         escape_html(relation_text(separation.found, relation)));
    out += fmt::format("<p>{} allows it{}</p>\n", chips({separation.allow[i]}, "ok"),
                       how.empty() ? ": all its axioms hold" : ", explained by" + how);
  }
  return out;
}

std::string forbidden(const Separation& separation, std::string_view id) {
  std::string out;
  const history::History& history = separation.found->history;
  for (const Finding& finding : shown_findings(separation)) {
    const check::Violated& violation = *finding.violation;
    std::string who;
    for (const std::size_t i : forbidden_by(separation, finding))
      who += fmt::format("{} <span class=\"aside\">({})</span> ",
                         chips({separation.forbid[i]}, "no"),
                         escape_html(axioms_of(separation.found->forbidden[i])));
    out += fmt::format("<p>{} {} it: <b>{}</b><br>{}</p>\n", who,
                       finding.levels.size() == 1 ? "forbids" : "forbid",
                       escape_html(finding_title(history, finding)),
                       escape_html(violation.problem ? sentence(history, *violation.problem)
                                                     : violation.summary));
    if (!violation.cycle.empty())
      out += fmt::format("<ol class=\"reasons\">\n{}</ol>\n",
                         reasons_list(history, told(violation.cycle), id));
  }
  for (const std::size_t i : unexplained(separation))
    out += fmt::format("<p>{} forbids it: {}</p>\n", chips({separation.forbid[i]}, "no"),
                       escape_html(axioms_sentence(separation.found->forbidden[i])));
  return out;
}

// How to read the picture.
std::string guide(const Separation& separation) {
  std::string out;
  if (const auto order = shown_order(separation.found))
    out += fmt::format("The green numbers are an order that {} explains it with. ",
                       escape_html(separation.allow[order->level]));
  const std::vector<Finding> found = shown_findings(separation);
  if (!found.empty() && !found[0].violation->cycle.empty())
    out += fmt::format(
        "The thick arrows are the cycle that {} cannot explain.",
        escape_html(separation.forbid[forbidden_by(separation, found[0]).front()]));
  return out.empty() ? "" : fmt::format("<p class=\"aside\">{}</p>\n", out);
}

}  // namespace

std::string separation_html(const Separation& separation, std::string_view id) {
  const std::string order = session_order_text(separation.found);
  return fmt::format("<p class=\"facts\">{}; every key begins at {}{}{}</p>\n",
                     size_text(separation.found), separation.found->size.initial_value,
                     order.empty() ? "" : "; ", escape_html(order)) +
         figure(separation.found->history, separation_scene(separation), id) +
         guide(separation) + allowed(separation) + forbidden(separation, id);
}

}  // namespace isomer::report
