// SPDX-License-Identifier: MIT
#include "support/database/transcript.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/keys.h"
#include "program/machine/serial.h"

namespace isomer::test {
namespace {

using namespace database;
using program::Value;

std::string row_text(const std::vector<Value>& row) {
  std::vector<std::string> cells;
  for (const Value& value : row)
    cells.push_back(program::to_text(value));
  return fmt::format("({})", fmt::join(cells, ","));
}

std::string rows_text(const std::vector<std::vector<Value>>& rows) {
  std::vector<std::string> out;
  for (const auto& row : rows)
    out.push_back(row_text(row));
  return fmt::format("{}", fmt::join(out, " "));
}

std::string reply_text(const ScheduleStep& step) {
  const Reply& reply = step.reply;
  if (reply.kind == Reply::Kind::Failed)
    return fmt::format("{}{}{}", reply.fault.sqlstate, reply.fault.is_limit ? " " : "",
                       reply.fault.is_limit ? reply.fault.reason : "");
  if (reply.kind == Reply::Kind::Waits) return "never";
  if (step.kind == ScheduleStep::Kind::Commit) return "commit";
  if (step.kind == ScheduleStep::Kind::Rollback) return "rollback";
  return reply.rows.empty() ? fmt::format("{}", reply.count) : rows_text(reply.rows);
}

std::string wait_text(const program::Program& program, const ScheduleStep& step) {
  if (step.waited_for.empty()) return {};
  std::vector<std::string> names;
  for (const SessionIndex session : step.waited_for)
    names.push_back(program.sessions[session].name);
  std::string out = fmt::format("waits for {}, ", fmt::join(names, " "));
  if (step.reply.kind != Reply::Kind::Waits)
    out += fmt::format("after {}: ", step.woken_by);
  return out;
}

}  // namespace

std::string step_text(const program::Program& program, const ScheduleStep& step) {
  return fmt::format("{} {}{}", program.sessions[step.session].name,
                     wait_text(program, step), reply_text(step));
}

std::vector<std::string> transcript(const program::Program& program,
                                    const ScheduleRun& run) {
  std::vector<std::string> out;
  for (const ScheduleStep& step : run.steps())
    out.push_back(step_text(program, step));
  return out;
}

std::vector<std::string> row_texts(const program::Program& program,
                                   const ScheduleRun& run) {
  const auto tables = run.committed_rows();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < tables.size(); ++i)
    out.push_back(fmt::format("{} {}", program.tables[i].name, rows_text(tables[i])));
  return out;
}

std::vector<std::string> call_texts(const program::Program& program,
                                    const ScheduleRun& run) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < run.calls().size(); ++i)
    for (const CallEnd& end : run.calls()[i]) {
      const std::string& name = program.sessions[i].name;
      if (end.kind == CallEnd::Kind::NotReached)
        out.push_back(fmt::format("{} not reached", name));
      else if (end.kind == CallEnd::Kind::RolledBack)
        out.push_back(fmt::format("{} {}", name, end.fault.sqlstate));
      else if (end.result.is_null())
        out.push_back(fmt::format("{} committed", name));
      else
        out.push_back(fmt::format("{} committed {}", name, program::to_text(end.result)));
    }
  return out;
}

std::vector<SessionIndex> schedule_of(const program::Program& program,
                                      const std::string& letters) {
  std::vector<SessionIndex> out;
  for (const char letter : letters)
    for (SessionIndex i = 0; i < program.sessions.size(); ++i)
      if (program.sessions[i].name == std::string(1, letter)) out.push_back(i);
  return out;
}

Scenario at_level(const program::Program& program, IsolationLevel level) {
  return {.program = program,
          .begin = std::vector<BeginOptions>(program.types.size(), {.level = level})};
}

bool holds(const program::Program& program, const program::Invariant& invariant,
           const std::vector<std::vector<std::vector<Value>>>& rows) {
  program::Database database;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const auto& row : rows[i]) {
      const program::Table& table = program.tables[i];
      database[program::row_key(table, program::primary_key_of(table, row))] =
          Value::list(row);
    }
  const auto answer = program::query_database(program, *invariant.query, database);
  const auto* found = std::get_if<std::vector<std::vector<Value>>>(&answer);
  return found != nullptr && !found->empty() && (*found)[0][0] == Value::boolean(true);
}

}  // namespace isomer::test
