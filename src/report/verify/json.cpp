// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/database/report.h"
#include "report/json.h"
#include "report/verify/report.h"

namespace isomer::report {
namespace {

using verify::Answer;
using verify::Counterexample;

constexpr std::string_view verdicts[] = {"holds", "violated", "unknown"};
constexpr std::string_view encodings[] = {"exact", "paper"};

std::string place_name(const Counterexample& example, const store::Place& place) {
  return fmt::format("{}/{}", example.program.sessions[place.first].name, place.second + 1);
}

Json places_json(const Counterexample& example, const std::vector<store::Place>& places) {
  Json out = Json::array();
  for (const store::Place& place : places)
    out.push_back(place_name(example, place));
  return out;
}

Json counterexample_json(const Violation& violation) {
  const Counterexample& example = *violation.answer.counterexample;
  Json parameters = Json::object();
  for (const auto& [name, value] : example.symbols)
    parameters[name] = value_json(value);
  Json sees = Json::object();
  for (const auto& [place, seen] : example.sees)
    sees[place_name(example, place)] = places_json(example, seen);
  Json out = failing_history_json(failing_history(violation));
  out["parameters"] = std::move(parameters);
  out["initial_state"] = state_json(example.initial_state);
  out["order"] = places_json(example, example.order);
  out["sees"] = std::move(sees);
  if (!example.gap.empty()) out["gap"] = example.gap;
  return out;
}

Json answer_json(const Verified& v, const Answer& answer) {
  Json out{{"verdict", verdicts[static_cast<std::size_t>(answer.verdict)]},
           {"seconds", answer.seconds},
           {"formula_size", answer.formula_size},
           {"queries", answer.queries}};
  if (answer.verdict == verify::Verdict::Unknown) out["reason"] = answer.unknown;
  for (const Violation& violation : v.violations)
    if (&violation.answer == &answer)
      out["counterexample"] = counterexample_json(violation);
  const Violation* const told = v.there != nullptr ? told_violation(v) : nullptr;
  if (told != nullptr && &told->answer == &answer)
    out["counterexample"]["on"] = on_server_json(v.there->program, v.there->there);
  return out;
}

Json names_json(const std::vector<check::AskedLevel>& levels) {
  Json out = Json::array();
  for (const check::AskedLevel& level : levels)
    out.push_back(level.name);
  return out;
}

}  // namespace

std::string verify_json(const Verified& v) {
  Json levels = Json::object();
  for (const verify::LevelAnswer& level : v.result.levels) {
    Json invariants = Json::object();
    for (const Answer& answer : level.answers)
      invariants[answer.invariant] = answer_json(v, answer);
    levels[level.level] = Json{{"invariants", std::move(invariants)}};
  }
  Json weakest = Json::object();
  for (const std::string& invariant : invariants_of(v.result))
    weakest[invariant] = names_json(weakest_sufficient(v, invariant));
  const Json out{
      {"file", v.program.file},
      {"encoding", encodings[static_cast<std::size_t>(v.options.encoding)]},
      {"instances", v.options.instances ? Json(*v.options.instances) : Json(nullptr)},
      {"levels", std::move(levels)},
      {"weakest_sufficient", names_json(weakest_sufficient(v))},
      {"weakest_sufficient_of", std::move(weakest)},
      {"bounds", v.result.bounds},
      {"seconds", v.result.seconds}};
  return document_text(out);
}

}  // namespace isomer::report
