// SPDX-License-Identifier: MIT
// Advice as a page that needs nothing but itself: types against levels, what each change
// is good for, and the anomalies that remain if nothing is changed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/advise/words.h"
#include "report/check/wording.h"
#include "report/page/page.h"
#include "report/picture/picture.h"

namespace isomer::report {
namespace {

using audit::Advice;
using audit::Change;

// A row for each type; its level is marked, as changed if it is.
std::string type_rows(const Advised& advised, const Advice& advice) {
  std::string out;
  for (std::uint32_t type = 0; type < advised.program.types.size(); ++type) {
    out += fmt::format("<tr><th>{}</th>", escape_html(advised.program.types[type].name));
    for (std::uint32_t level = 0; level < advised.offer.names.size(); ++level)
      out += advice.choice[type] == level
                 ? fmt::format("<td class=\"{}\">{}</td>", level == 0 ? "ok" : "unknown",
                               escape_html(advised.offer.names[level]))
                 : std::string("<td></td>");
    const Change* change = change_of(advice, type);
    out += fmt::format(
        "<td class=\"why\">{}</td></tr>\n",
        change == nullptr ? "" : escape_html(need_text(advised, advice, *change)));
  }
  return out;
}

std::string by_type_part(const Advised& advised, const Advice& advice) {
  std::string head = "<tr class=\"heads\"><th></th>";
  for (std::size_t i = 0; i < advised.offer.names.size(); ++i)
    head += fmt::format("<th title=\"price {}\">{}</th>", i,
                        escape_html(advised.offer.names[i]));
  return fmt::format(
      "<h2>The cheapest level for each type</h2>\n<p>{}; {}. {}</p>\n<table "
      "class=\"verdicts answers\">\n{}<th></th></tr>\n{}</table>\n<p "
      "class=\"aside\">{}</p>\n",
      price_text(advised, advice), escape_html(support_text(advice.result)),
      minimality_text(advice), head, type_rows(advised, advice),
      escape_html(price_list_text(advised.offer)));
}

std::string pairs_part(const Advised& advised, const Advice& advice) {
  std::string rows;
  for (const Change& change : advice.changes)
    rows += fmt::format(
        "<tr><th>{}</th><td class=\"unknown\">serial</td><td class=\"why\">{}</td></tr>\n",
        escape_html(pair_text(advised, change.types)),
        escape_html(need_text(advised, advice, change)));
  return fmt::format(
      "<h2>Or keep {} and make pairs serial</h2>\n<p>{}: of two transactions of such a "
      "pair, "
      "the later one sees the other; {}. {}</p>\n<table class=\"verdicts "
      "answers\">\n{}</table>\n",
      escape_html(advised.offer.names.front()), counted(advice.changes.size(), "pair"),
      escape_html(support_text(advice.result)), minimality_text(advice), rows);
}

std::string mixture_part(const Advised& advised, const Advice& advice) {
  std::string rows;
  for (const Change& change : advice.changes)
    rows += fmt::format("<tr><th>{}</th><td class=\"why\">{}</td></tr>\n",
                        escape_html(change_text(advised, advice, change)),
                        escape_html(need_text(advised, advice, change)));
  return fmt::format(
      "<h2>Or cheaper, levels and serial pairs together</h2>\n<p>{}, price {}; {}. {} A "
      "serial pair is one change, of price 1.</p>\n<table class=\"verdicts "
      "answers\">\n{}</table>\n",
      counted(advice.changes.size(), "change"), advice.price.sum,
      escape_html(support_text(advice.result)), minimality_text(advice), rows);
}

std::string answer_in_short(const Advised& advised) {
  const audit::AdviseResult& result = advised.result;
  if (result.unchanged.anomalies.empty())
    return lead(result.uniform ? Tone::Good : Tone::Unknown, unchanged_text(advised));
  if (!result.by_type)
    return result.uniform ? lead(Tone::Unknown, "the cheapest choice is not known")
                          : lead(result.unknown.empty() ? Tone::Bad : Tone::Unknown,
                                 nothing_enough_text(advised));
  std::vector<std::string> changes;
  for (const Change& change : result.by_type->changes) {
    const std::uint32_t type = change.types.front();
    changes.push_back(fmt::format("{} at {}", advised.program.types[type].name,
                                  result.by_type->names[type]));
  }
  return lead(Tone::Good, fmt::format("no anomaly with {}{}", fmt::join(changes, ", "),
                                      changes.size() == advised.program.types.size()
                                          ? ""
                                          : fmt::format(", all others at {}",
                                                        advised.offer.names.front())));
}

std::string uniform_part(const Advised& advised) {
  const audit::AdviseResult& result = advised.result;
  if (!result.uniform || *result.uniform == 0) return {};
  return fmt::format("<p>One level for all types: <b>{}</b>; {}.</p>\n",
                     escape_html(advised.offer.names[*result.uniform]),
                     escape_html(support_text(result.uniform_result)));
}

std::string remaining_section(const Advised& advised) {
  const std::vector<AnomalyGroup> groups = anomaly_groups(advised.result.unchanged, false);
  if (groups.empty()) return {};
  std::string out = fmt::format(
      "<section>\n<h1>If nothing is changed</h1>\n<p class=\"facts\">With {} for all types "
      "audit finds these; isomer audit --level {} --html runs them.</p>\n",
      escape_html(advised.offer.names.front()),
      escape_html(advised.offer.levels.front().name));
  std::size_t number = 0;
  for (const AnomalyGroup& group : groups) {
    const std::string id = fmt::format("u{}", ++number);
    const AnomalyPicture drawn = anomaly_picture(advised.program, *group.front());
    out +=
        fmt::format("<details>\n<summary>{}{}</summary>\n<p>{}</p>\n{}</details>\n",
                    escape_html(title_text(advised.program, *group.front())),
                    group.size() > 1 ? fmt::format(" (in {} ways)", group.size()) : "",
                    kind_sentence(*group.front()), figure(drawn.history, drawn.scene, id));
  }
  return out + "</section>\n";
}

}  // namespace

std::string advise_html(const Advised& advised) {
  const audit::AdviseResult& result = advised.result;
  std::string first =
      fmt::format("<section>\n<h1>{}</h1>\n<p class=\"facts\">{}; {:.2f} s</p>\n",
                  escape_html(printable(advised.program.file, 400)),
                  escape_html(question_text(advised)), result.seconds);
  first += answer_in_short(advised) + uniform_part(advised);
  if (result.by_type) first += by_type_part(advised, *result.by_type);
  if (const std::string how = how_to_text(advised); !how.empty())
    first += fmt::format("<p>{}</p>\n", escape_html(how));
  if (result.by_serial_pairs) first += pairs_part(advised, *result.by_serial_pairs);
  if (result.mixture) first += mixture_part(advised, *result.mixture);
  const std::string no_mixture = no_mixture_text(advised);
  if (!no_mixture.empty()) first += fmt::format("<p>{}</p>\n", no_mixture);
  if (!result.unknown.empty())
    first +=
        fmt::format("<p class=\"aside\">Left open: {}.</p>\n", escape_html(result.unknown));
  const std::vector<std::string> sections{fmt::format("{}</section>\n", first),
                                          remaining_section(advised)};
  return page("isomer advise", "the cheapest levels at which there are no anomalies",
              sections);
}

}  // namespace isomer::report
