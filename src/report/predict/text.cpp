// SPDX-License-Identifier: MIT
// What a person reads: which reads change, what of the run is used, why it is not
// serializable, who would have prevented it, and what the application really does.
#include <fmt/format.h>

#include "report/check/finding.h"
#include "report/check/verdicts.h"
#include "report/check/wording.h"
#include "report/ink.h"
#include "report/predict/words.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using history::History;
using history::TxnId;
using predict::ChangedRead;
using predict::Prediction;

std::string writer_text(const History& history, TxnId writer) {
  return writer == history::init ? "the initial state" : txn_text(history, writer);
}

std::string heading(const Predicted& p) {
  const Size size = size_of(p.observed);
  return fmt::format("{}: {}, {}, {}; what {} allows ({}{})\n\n", printable(p.file, 80),
                     counted(size.sessions, "session"),
                     counted(size.committed, "transaction"),
                     counted(size.operations, "operation"), p.options.level.name,
                     predict::name(p.options.strategy),
                     p.options.boundary == predict::Boundary::Closed
                         ? ""
                         : fmt::format(", boundary {}", predict::name(p.options.boundary)));
}

std::string changes(const Predicted& p, const Prediction& prediction) {
  TextTable rows;
  for (const ChangedRead& read : prediction.changed)
    rows.push_back(
        {txn_text(p.observed, read.reader),
         fmt::format("reads {}", key_text(p.observed, read.key)),
         fmt::format("from {}", writer_text(p.observed, read.predicted)),
         fmt::format("(observed: from {})", writer_text(p.observed, read.observed)),
         place_text(p.observed, read.op)});
  if (rows.empty())
    return "  no read changes: what was observed is already unserializable\n";
  return aligned(rows);
}

std::string parts(const Predicted& p, const Prediction& prediction) {
  TextTable rows;
  for (const SessionPart& part : session_parts(p.observed, prediction))
    rows.push_back(
        {fmt::format("session {}", printable(p.observed.session_name(part.session), 30)),
         part_text(p, part)});
  return aligned(rows);
}

std::string why(const Predicted& p, std::size_t index, const Ink& ink) {
  const Prediction& prediction = p.result.predictions[index];
  return fmt::format("{}{}{}\n", verdict_table_text(prediction.levels, ink),
                     finding_text(prediction.history, finding_of(prediction), ink),
                     ink.bold(prevention_text(prediction.levels)));
}

std::string replay(const Predicted& p, std::size_t index, const Ink& ink) {
  if (p.validations.empty()) return {};
  const predict::Validation& validation = p.validations[index];
  const std::string word = fmt::format("{}", predict::name(validation.validity));
  std::string out = fmt::format(
      "\nreplayed by {}: {}: {}\n", printable(p.program->file, 80),
      validation.validity == predict::Validity::Refuted ? ink.good(word) : ink.bad(word),
      validation_text(p, validation));
  const bool is_anything_broken = std::ranges::any_of(
      validation.run.invariants, [](const auto& i) { return !i.holds; });
  if (is_anything_broken)
    out +=
        invariants_text(validation.run.invariants, validation.run.final_state_count, ink);
  return out;
}

// What a reader of the list must know to take it for no more than it is.
std::string remarks(const Predicted& p) {
  std::string out;
  if (p.result.passed_over != 0) out += fmt::format("\n{}\n", passed_over_text(p.result));
  if (!p.result.has_fewest) out += "\nThere may be one that changes fewer reads.\n";
  if (p.options.count_max == 1) return out;
  return out +
         (p.result.is_complete
              ? "\nEvery other one changes these reads and more, or shows one of these "
                "anomalies again.\n"
              : fmt::format("\nThere may be others{}.\n",
                            p.result.unknown.empty()
                                ? ""
                                : fmt::format(" ({})", p.result.unknown)));
}

std::string one(const Predicted& p, std::size_t index, const Ink& ink) {
  const Prediction& prediction = p.result.predictions[index];
  const std::string number =
      p.result.predictions.size() == 1
          ? ""
          : fmt::format(" {} of {}", index + 1, p.result.predictions.size());
  return fmt::format(
      "{}: a run that {} allows and that is not serializable\n{}\nwhat of the observed run "
      "is used\n{}\n{}{}",
      ink.bad(fmt::format("predicted{}", number)), p.options.level.name,
      changes(p, prediction), parts(p, prediction), why(p, index, ink),
      replay(p, index, ink));
}

std::string none(const Predicted& p, const Ink& ink) {
  const std::string text = nothing_predicted_text(p);
  std::string out =
      fmt::format("{}\n", p.result.unknown.empty() ? ink.good(text) : ink.doubtful(text));
  if (!p.relaxed) return out;
  out += fmt::format("{}\n", relaxed_text(p));
  if (!p.relaxed->result.predictions.empty())
    out += changes(p, p.relaxed->result.predictions.front());
  return out;
}

// The command with the relaxed strategy, whether it named the strict one or not.
std::string relaxed_command(const Predicted& p, std::string command) {
  const std::string strict =
      fmt::format(" --strategy {}", predict::name(p.options.strategy));
  if (const std::size_t at = command.find(strict); at != std::string::npos)
    command.erase(at, strict.size());
  return fmt::format("{} --strategy {}", command, predict::name(p.relaxed->strategy));
}

std::string next_step(const Predicted& p, const std::string& command) {
  if (command.empty()) return {};
  if (p.relaxed && !p.relaxed->result.predictions.empty())
    return fmt::format("\nSee it:   {}\n", relaxed_command(p, command));
  if (p.result.predictions.empty()) return {};
  return fmt::format(
      "\nSee it:   {0} --html predicted.html\nKeep it:  {0} -o predicted.hist\n", command);
}

}  // namespace

std::string predict_text(const Predicted& p, const PredictTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = heading(p);
  for (std::size_t i = 0; i < p.result.predictions.size(); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : "\n", one(p, i, ink));
  if (p.result.predictions.empty())
    out += none(p, ink);
  else
    out += remarks(p);
  return out + next_step(p, options.command);
}

}  // namespace isomer::report
