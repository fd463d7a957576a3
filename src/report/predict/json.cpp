// SPDX-License-Identifier: MIT
#include "report/json.h"
#include "report/check/finding.h"
#include "report/predict/words.h"
#include "report/synth/separation.h"

namespace isomer::report {
namespace {

using predict::ChangedRead;
using predict::Prediction;
using predict::Validation;

void add_place(Json& item, const history::History& history, std::uint32_t op) {
  if (!history.place(op).empty()) item["place"] = history.place(op);
}

Json changed_json(const Predicted& p, const Prediction& prediction) {
  Json out = Json::array();
  for (const ChangedRead& read : prediction.changed) {
    Json item{{"transaction", p.observed.txn_name(read.reader)},
              {"key", p.observed.key_name(read.key)},
              {"observed", p.observed.txn_name(read.observed)},
              {"predicted", p.observed.txn_name(read.predicted)},
              {"operation", read.op - p.observed.first_op(read.reader) + 1}};
    add_place(item, p.observed, read.op);
    out.push_back(std::move(item));
  }
  return out;
}

Json boundary_json(const Predicted& p, const Prediction& prediction) {
  Json out = Json::array();
  for (const SessionPart& part : session_parts(p.observed, prediction)) {
    Json item{{"session", p.observed.session_name(part.session)},
              {"transactions", part.used},
              {"transaction", nullptr}};
    if (part.boundary_txn) {
      item["transaction"] = p.observed.txn_name(*part.boundary_txn);
      item["operation"] = *part.boundary_op - p.observed.first_op(*part.boundary_txn) + 1;
      item["key"] = p.observed.key_name(p.observed.operations()[*part.boundary_op].key);
      add_place(item, p.observed, *part.boundary_op);
    }
    out.push_back(std::move(item));
  }
  return out;
}

Json validation_json(const Predicted& p, const Validation& validation) {
  Json invariants = Json::object();
  for (const store::InvariantOutcome& invariant : validation.run.invariants)
    invariants[invariant.name] = invariant.holds;
  Json out{{"verdict", predict::name(validation.validity)}};
  if (const auto& left = validation.run.divergence)
    out["divergence"] = {{"session", p.program->sessions[left->session].name},
                         {"transaction", left->index + 1},
                         {"what", left->what}};
  out["invariants"] = std::move(invariants);
  out["history"] = history_json(validation.run.history);
  return out;
}

Json prediction_json(const Predicted& p, std::size_t index) {
  const Prediction& prediction = p.result.predictions[index];
  Json out{{"changed_reads", changed_json(p, prediction)},
           {"boundary", boundary_json(p, prediction)},
           {"violation", violation_json(prediction.history, prediction.violation)},
           {"levels", verdicts_json(p.result.predictions[index]->levels)},
           {"history", history_json(prediction.history)}};
  if (!p.validations.empty()) out["validation"] = validation_json(p, p.validations[index]);
  return out;
}

std::string_view result_name(const predict::Result& result) {
  if (!result.predictions.empty()) return "predicted";
  return result.unknown.empty() ? "none" : "unknown";
}

Json relaxed_json(const Predicted& p) {
  const predict::Result& result = p.relaxed->result;
  return {
      {"result", result_name(result)},
      {"strategy", predict::name(p.relaxed->strategy)},
      {"changed_reads", result.predictions.empty()
                            ? Json::array()
                            : changed_json(p, result.predictions.front())},
      {"validation", p.relaxed->validation ? predict::name(p.relaxed->validation->validity)
                                           : "not asked"}};
}

}  // namespace

std::string predict_json(const Predicted& p) {
  const predict::Result& result = p.result;
  const Size size = size_of(p.observed);
  const bool has_any = !result.predictions.empty();
  Json predictions = Json::array();
  for (std::size_t i = 0; i < result.predictions.size(); ++i)
    predictions.push_back(prediction_json(p, i));
  Json out{
      {"file", p.file},
      {"sessions", size.sessions},
      {"transactions", size.committed},
      {"operations", size.operations},
      {"result", result_name(p.result)},
      {"strategy", predict::name(p.options.strategy)},
      {"level", p.options.level.name},
      {"boundary", predict::name(p.options.boundary)},
      {"changed_reads",
       has_any ? changed_json(p, result.predictions.front()) : Json::array()},
      {"validation",
       p.validations.empty() ? "not asked" : predict::name(p.validations.front().validity)},
      {"encode_seconds", result.encode_seconds},
      {"solve_seconds", result.solve_seconds},
      {"variables", result.variables},
      {"clauses", result.clauses},
      {"candidates", result.candidates},
      {"complete", result.is_complete},
      {"fewest", result.has_fewest},
      {"passed_over", result.passed_over}};
  if (!result.unknown.empty()) out["reason"] = result.unknown;
  if (p.relaxed) out["relaxed"] = relaxed_json(p);
  out["predictions"] = std::move(predictions);
  return document_text(out);
}

std::string predict_json(const predict::Options& options, const Undecided& undecided) {
  return document_text({{"result", "unknown"},
                        {"strategy", predict::name(options.strategy)},
                        {"level", options.level.name},
                        {"boundary", predict::name(options.boundary)},
                        {"changed_reads", Json::array()},
                        {"validation", "not asked"},
                        {"encode_seconds", 0},
                        {"solve_seconds", 0},
                        {"undecided", undecided_json_part(undecided)}});
}

}  // namespace isomer::report
