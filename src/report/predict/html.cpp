// SPDX-License-Identifier: MIT
// The result as a page that needs nothing but itself: the observed run and each prediction
// side by side, and why the latter is not serializable.
#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/predict/words.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using history::TxnId;
using predict::ChangedRead;
using predict::Prediction;

std::string facts(const Predicted& p) {
  const Size size = size_of(p.observed);
  return fmt::format(
      "<p class=\"facts\">{}, {}, {}; what {} allows, strategy {}, boundary {}</p>\n",
      counted(size.sessions, "session"), counted(size.committed, "transaction"),
      counted(size.operations, "operation"), escape_html(p.options.level.name),
      predict::name(p.options.strategy), predict::name(p.options.boundary));
}

// The line of the program that an operation comes from.
std::string caused_by(const Predicted& p, std::uint32_t op) {
  if (p.program == nullptr) return {};
  const std::string line = source_line(*p.program, p.observed.place(op));
  return line.empty() ? "" : fmt::format("\n<pre>{}</pre>", escape_html(line));
}

std::string changed_list(const Predicted& p, const Prediction& prediction) {
  std::string out = "<ul class=\"steps\">\n";
  for (const ChangedRead& read : prediction.changed)
    out += fmt::format(
        "<li><span class=\"mono\">{}</span> reads <span class=\"mono\">{}</span> from "
        "<span class=\"mono\">{}</span>, not <span class=\"mono\">{}</span> <span "
        "class=\"aside\">{}</span>{}</li>\n",
        escape_html(txn_text(p.observed, read.reader)),
        escape_html(key_text(p.observed, read.key)),
        escape_html(txn_text(p.observed, read.predicted)),
        escape_html(txn_text(p.observed, read.observed)),
        escape_html(place_text(p.observed, read.op)), caused_by(p, read.op));
  return out + "</ul>\n";
}

std::string changes(const Predicted& p, const Prediction& prediction) {
  std::string out =
      fmt::format("{}<p class=\"aside\">What of the observed run is used:</p>\n<ul>\n",
                  changed_list(p, prediction));
  for (const SessionPart& part : session_parts(p.observed, prediction))
    out += fmt::format("<li>session {}: {}</li>\n",
                       escape_html(p.observed.session_name(part.session)),
                       escape_html(part_text(p, part)));
  return out + "</ul>\n";
}

std::string replay(const Predicted& p, std::size_t index) {
  if (p.validations.empty()) return {};
  const predict::Validation& validation = p.validations[index];
  std::string out = fmt::format(
      "<h3>Replayed by {}</h3>\n<p><span class=\"chip {}\">{}</span> {}</p>\n",
      escape_html(p.program->file),
      validation.validity == predict::Validity::Refuted ? "ok" : "no",
      predict::name(validation.validity), escape_html(validation_text(p, validation)));
  for (const store::InvariantOutcome& invariant : validation.run.invariants)
    if (!invariant.holds)
      out += fmt::format("<p><span class=\"chip no\">BROKEN</span> {}</p>\n",
                         escape_html(invariant.name));
  return out;
}

std::string relaxed_hint(const Predicted& p) {
  if (!p.relaxed) return {};
  const std::string told = fmt::format("<p>{}</p>\n", escape_html(relaxed_text(p)));
  const auto& predictions = p.relaxed->result.predictions;
  return predictions.empty() ? told
                             : fmt::format("{}{}", told, changed_list(p, predictions[0]));
}

std::string verdict(const Predicted& p) {
  if (p.result.predictions.empty())
    return fmt::format("{}{}",
                       lead(p.result.unknown.empty() ? Tone::Good : Tone::Unknown,
                            nothing_predicted_text(p)),
                       relaxed_hint(p));
  const Prediction& first = p.result.predictions[0];
  return lead(
      Tone::Bad,
      fmt::format("predicted{}: a run that {} allows and that is not serializable: {}",
                  p.validations.empty()
                      ? ""
                      : fmt::format(" and {}", predict::name(p.validations[0].validity)),
                  p.options.level.name, finding_title(first.history, finding_of(first))));
}

std::string one(const Predicted& p, std::size_t index) {
  const Prediction& prediction = p.result.predictions[index];
  const PicturePair pair = picture_pair(p, index);
  const std::string id = fmt::format("p{}", index);
  const Finding finding = finding_of(prediction);
  std::string out = fmt::format(
      "<h2>{}</h2>\n{}<div class=\"pair\">\n<div><h3>Observed</h3>\n{}</div>\n<div>"
      "<h3>Predicted</h3>\n{}</div>\n</div>\n",
      escape_html(finding_title(prediction.history, finding)), changes(p, prediction),
      figure(p.observed, pair.observed, fmt::format("o{}", index)),
      figure(prediction.history, pair.predicted, id));
  out += fmt::format("<p>{}</p>\n", escape_html(prediction.violation.summary));
  if (!prediction.violation.cycle.empty())
    out +=
        fmt::format("<ol class=\"reasons\">\n{}</ol>\n",
                    reasons_list(prediction.history, told(prediction.violation.cycle), id));
  return out +
         fmt::format("{}<p>{}</p>\n{}",
                     verdict_table_html(p.result.predictions[index]->levels),
                     escape_html(prevention_text(p.result.predictions[index]->levels)),
                     replay(p, index));
}

}  // namespace

std::string predict_html(const Predicted& p) {
  std::string out = fmt::format("<section>\n<h1>{}</h1>\n{}",
                                escape_html(printable(p.file, 400)), facts(p));
  out += verdict(p);
  for (std::size_t i = 0; i < p.result.predictions.size(); ++i)
    out += one(p, i);
  if (p.result.passed_over != 0)
    out += fmt::format("<p>{}</p>\n", escape_html(passed_over_text(p.result)));
  out += "</section>\n";
  return page("isomer predict", "what else could have happened", std::span(&out, 1));
}

}  // namespace isomer::report
