// SPDX-License-Identifier: MIT
#include "report/synth/outcome_json.h"

namespace isomer::report {

using program::Value;

Json value_json(const Value& value) {
  if (value.is_null()) return nullptr;
  if (const bool* truth = value.get_if<bool>()) return *truth;
  if (const auto* number = value.get_if<std::int64_t>()) return *number;
  if (value.get_if<program::List>() == nullptr) return program::to_text(value);
  Json out = Json::array();
  for (const Value& item : value.items())
    out.push_back(value_json(item));
  return out;
}

Json place_json(const program::Program& program, const program::Span& at) {
  const auto [file, position] = program::place_of(program, at.first);
  return {{"file", file}, {"line", position.line}, {"column", position.column}};
}

Json transaction_json(const program::Program& program,
                      const store::TransactionOutcome& outcome) {
  const program::Session& session = program.sessions[outcome.session];
  Json out = {{"session", session.name},
              {"call", session.calls[outcome.index].text},
              {"status", outcome.is_committed ? "committed" : "aborted"}};
  if (outcome.is_committed) {
    out["result"] = value_json(outcome.result);
  } else {
    out["reason"] = outcome.reason;
    out["sqlstate"] = outcome.sqlstate;
    out["at"] = place_json(program, outcome.at);
  }
  return out;
}

Json state_json(const store::FinalState& state) {
  Json out = Json::object();
  for (const auto& [key, value] : state)
    out[key] = value_json(value);
  return out;
}

Json verdicts_json(const check::Result& levels) {
  Json out = Json::object();
  for (const check::LevelResult& level : levels.levels) {
    if (const auto* violated = std::get_if<check::Violated>(&level.verdict))
      out[level.level.name] = {{"verdict", "violation"},
                               {"anomaly", violated->anomaly},
                               {"summary", violated->summary}};
    else
      out[level.level.name] = {
          {"verdict",
           std::holds_alternative<check::Consistent>(level.verdict) ? "ok" : "unknown"}};
  }
  return out;
}

std::string document_text(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace isomer::report
