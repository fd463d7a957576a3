// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "report/database/report.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using database::CallEnd;
using database::Reply;
using database::ScheduleStep;
using program::Value;

const std::string& name_of(const ScheduledRun& run, database::SessionIndex session) {
  return run.program.sessions[session].name;
}

Json rows_json(const std::vector<std::vector<Value>>& rows) {
  Json out = Json::array();
  for (const auto& row : rows) {
    Json cells = Json::array();
    for (const Value& value : row)
      cells.push_back(value_json(value));
    out.push_back(std::move(cells));
  }
  return out;
}

// Rows if there are any, else how many it changed; null if it failed or waits for ever.
Json result_json(const ScheduleStep& step) {
  if (step.reply.kind != Reply::Kind::Done || step.kind != ScheduleStep::Kind::Statement)
    return nullptr;
  return step.reply.rows.empty() ? Json(step.reply.count) : rows_json(step.reply.rows);
}

Json step_json(const ScheduledRun& run, const ScheduleStep& step) {
  Json out{{"session", name_of(run, step.session)},
           {"call", run.program.sessions[step.session].calls[step.call].text},
           {"attempt", step.attempt + 1},
           {"statement", step.text}};
  if (step.at.last == 0) {
    out["file"] = nullptr;
    out["line"] = nullptr;
  } else {
    const auto [file, position] = program::place_of(run.program, step.at.first);
    out["file"] = file;
    out["line"] = position.line;
  }
  const bool is_waiting = !step.waited_for.empty();
  out["result"] = result_json(step);
  out["waits_for"] = is_waiting ? Json(name_of(run, step.waited_for[0])) : Json(nullptr);
  out["woken_by"] = is_waiting && step.reply.kind != Reply::Kind::Waits
                        ? Json(step.woken_by + 1)
                        : Json(nullptr);
  const bool has_failed = step.reply.kind == Reply::Kind::Failed;
  out["sqlstate"] = has_failed ? Json(step.reply.fault.sqlstate) : Json(nullptr);
  if (has_failed && step.reply.fault.number != 0) out["number"] = step.reply.fault.number;
  if (has_failed) out["message"] = step.reply.fault.reason;
  return out;
}

Json call_json(const ScheduledRun& run, std::size_t session, std::size_t call) {
  const CallEnd& end = run.calls[session][call];
  constexpr std::string_view kinds[] = {"not reached", "committed", "rolled back"};
  Json out{{"session", run.program.sessions[session].name},
           {"call", run.program.sessions[session].calls[call].text},
           {"status", kinds[static_cast<std::size_t>(end.kind)]},
           {"attempts", end.attempts}};
  if (end.kind == CallEnd::Kind::Committed) out["result"] = value_json(end.result);
  if (end.kind == CallEnd::Kind::RolledBack) {
    out["sqlstate"] = end.fault.sqlstate;
    if (end.fault.number != 0) out["number"] = end.fault.number;
    out["reason"] = end.fault.reason;
  }
  return out;
}

}  // namespace

Json schedule_json(const ScheduledRun& run) {
  Json schedule = Json::array();
  Json steps = Json::array();
  for (const ScheduleStep& step : run.steps) {
    schedule.push_back(name_of(run, step.session));
    steps.push_back(step_json(run, step));
  }
  Json calls = Json::array();
  for (std::size_t i = 0; i < run.calls.size(); ++i)
    for (std::size_t j = 0; j < run.calls[i].size(); ++j)
      calls.push_back(call_json(run, i, j));
  Json rows = Json::object();
  for (std::size_t i = 0; i < run.program.tables.size(); ++i)
    rows[run.program.tables[i].name] = rows_json(run.rows[i]);
  Json invariants = Json::object();
  for (const store::InvariantOutcome& invariant : run.invariants)
    invariants[invariant.name] = invariant.holds;
  Json out{{"schedule", schedule}, {"steps", steps}};
  if (!run.order.empty()) {
    Json order = Json::array();
    for (const std::uint32_t place : run.order)
      order.push_back(place + 1);
    out["order"] = order;
  }
  out["calls"] = calls;
  out["final_state"] = rows;
  out["invariants"] = invariants;
  return out;
}

}  // namespace isomer::report
