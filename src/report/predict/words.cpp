// SPDX-License-Identifier: MIT
#include "report/predict/words.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/check/wording.h"

namespace isomer::report {
namespace {

using history::History;
using history::SessionId;
using history::TxnId;
using predict::Prediction;
using predict::Validity;

std::string call_text(const program::Program& program, const store::Divergence& at) {
  const program::Session& session = program.sessions[at.session];
  return fmt::format("{}/{} {}", session.name, at.index + 1,
                     printable(session.calls[at.index].text, 50));
}

TxnId txn_of(const History& history, SessionId session, std::uint32_t op) {
  TxnId out = history.first_txn(session);
  while (history.first_op(out) + history.operations(out).size() <= op)
    ++out.index;
  return out;
}

}  // namespace

std::vector<SessionPart> session_parts(const History& observed,
                                       const Prediction& prediction) {
  std::vector<SessionPart> out;
  for (SessionId s{0}; s.index < observed.session_count(); ++s.index) {
    SessionPart part{.session = s, .boundary_txn = {}, .boundary_op = {}};
    for (TxnId t = observed.first_txn(s); t < observed.end_txn(s); ++t.index)
      if (observed.status(t) == history::Status::Committed) ++part.observed;
    for (std::size_t t = 1; t < prediction.origin.size(); ++t)
      if (observed.session(prediction.origin[t]) == s) ++part.used;
    part.boundary_op = prediction.boundary[s.index];
    part.has_change =
        std::ranges::any_of(prediction.changed, [&](const predict::ChangedRead& read) {
          return observed.session(read.reader) == s;
        });
    if (part.boundary_op) part.boundary_txn = txn_of(observed, s, *part.boundary_op);
    out.push_back(part);
  }
  return out;
}

std::string part_text(const Predicted& predicted, const SessionPart& part) {
  std::string out =
      part.used == part.observed
          ? fmt::format("all of {}", counted(part.observed, "transaction"))
          : fmt::format("{} of {}", part.used, counted(part.observed, "transaction"));
  if (part.used == 0)
    return fmt::format("none of {}", counted(part.observed, "transaction"));
  if (!part.boundary_txn)
    return part.used == part.observed
               ? out
               : fmt::format("{}; the others depend on a change or cut elsewhere", out);
  const History& observed = predicted.observed;
  const std::string name = txn_text(observed, *part.boundary_txn);
  if (!predict::is_strict(predicted.options.strategy))
    return fmt::format(
        "{}, up to {}{}", out, name,
        part.has_change ? ", which reads something else" : ", which reads as observed");
  return fmt::format("{}, up to the read of {} in {}", out,
                     key_noun(observed, observed.operations()[*part.boundary_op].key),
                     name);
}

std::string passed_over_text(const predict::Result& result) {
  return fmt::format("Passed over, refuted by replay: {}.",
                     counted(result.passed_over, "prediction"));
}

std::string nothing_predicted_text(const Predicted& p) {
  if (!p.result.unknown.empty())
    return fmt::format("undecided ({}): nothing predicted so far", p.result.unknown);
  if (!predict::is_exact(p.options.strategy))
    return fmt::format(
        "nothing predicted: no run of this kind that {} allows has a cycle "
        "that is easy to see; an exact strategy may still find one",
        p.options.level.name);
  return fmt::format(
      "nothing predicted: every run of this kind that {} allows is serializable",
      p.options.level.name);
}

std::string relaxed_text(const Predicted& p) {
  if (!p.relaxed) return {};
  const std::string_view strategy = predict::name(p.relaxed->strategy);
  const predict::Result& result = p.relaxed->result;
  if (!result.predictions.empty()) {
    const Prediction& first = result.predictions.front();
    const std::string replayed =
        p.relaxed->validation
            ? fmt::format(" ({})", predict::name(p.relaxed->validation->validity))
            : "";
    return fmt::format(
        "{}, which also uses the rest of a transaction whose read changes, predicts one: "
        "{}{}",
        strategy, finding_title(first.history, finding_of(first)), replayed);
  }
  if (!result.unknown.empty())
    return fmt::format("what {} predicts was not decided ({})", strategy, result.unknown);
  return fmt::format(
      "{}, which also uses the rest of a transaction whose read changes, "
      "predicts nothing either",
      strategy);
}

Finding finding_of(const Prediction& prediction) {
  return {.levels = {check::Level::SER}, .violation = &prediction.violation};
}

std::string validation_text(const Predicted& predicted,
                            const predict::Validation& validation) {
  std::string left;
  if (validation.run.divergence)
    left = fmt::format("it left the prediction at {} ({})",
                       call_text(*predicted.program, *validation.run.divergence),
                       printable(validation.run.divergence->what, 120));
  switch (validation.validity) {
    case Validity::Validated:
      return "the run is as predicted, and not serializable";
    case Validity::Diverged:
      return fmt::format("{}, but the run is not serializable all the same", left);
    case Validity::Refuted:
      return left.empty() ? "the run is serializable"
                          : fmt::format("{}, and the run is serializable", left);
    case Validity::Unknown:
      return "not decided in time";
  }
  return {};
}

}  // namespace isomer::report
