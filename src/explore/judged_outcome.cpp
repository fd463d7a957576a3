// SPDX-License-Identifier: MIT
#include "explore/judged_outcome.h"

#include <algorithm>

#include "program/call_table.h"
#include "program/machine/keys.h"
#include "store/invariants.h"

namespace isomer::explore {

using database::CallEnd;
using program::Value;

OutcomeJudge::OutcomeJudge(const program::Program& program)
    : program_(program),
      asks_for_calls_(std::any_of(program.invariants.begin(), program.invariants.end(),
                                  [&](const program::Invariant& invariant) {
                                    return program::asks_for_calls(program, invariant);
                                  })),
      questions_(store::invariant_program(
          asks_for_calls_ ? program::with_call_table(program) : program)) {}

void OutcomeJudge::add_calls(
    store::FinalState& state, const std::vector<program::Session>& sessions,
    const std::vector<std::vector<database::CallEnd>>& calls) const {
  const program::Table& table = questions_.tables[program::call_table_id(program_).index];
  for (std::size_t session = 0; session < calls.size(); ++session) {
    const program::Session& of = sessions[session];
    for (std::size_t i = 0; i < calls[session].size(); ++i) {
      const CallEnd& end = calls[session][i];
      const std::vector<Value> row{
          Value::text(of.name), Value::integer(static_cast<std::int64_t>(i) + 1),
          Value::text(program_.types[of.calls[i].type].name),
          Value::boolean(end.kind == CallEnd::Kind::Committed),
          end.kind == CallEnd::Kind::RolledBack ? Value::text(end.fault.sqlstate)
                                                : Value()};
      state[program::row_key(table, program::primary_key_of(table, row))] =
          Value::list(row);
    }
  }
}

std::vector<store::InvariantOutcome> OutcomeJudge::invariants(
    const std::vector<program::Session>& sessions, const ScheduleOutcome& outcome) const {
  store::FinalState state;
  if (asks_for_calls_) add_calls(state, sessions, outcome.calls);
  for (std::size_t i = 0; i < outcome.rows.size(); ++i) {
    const program::Table& table = program_.tables[i];
    for (const auto& row : outcome.rows[i])
      state[program::row_key(table, program::primary_key_of(table, row))] =
          Value::list(row);
  }
  return store::check_invariants(program_, questions_, state, {},
                                 program::Granularity::Row);
}

}  // namespace isomer::explore
