// SPDX-License-Identifier: MIT
#include "explore/judged_outcome.h"

#include "program/machine/keys.h"
#include "store/invariants.h"

namespace isomer::explore {

OutcomeJudge::OutcomeJudge(const program::Program& program)
    : program_(program), questions_(store::invariant_program(program)) {}

std::vector<store::InvariantOutcome> OutcomeJudge::invariants(const TableRows& rows) const {
  store::FinalState state;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const program::Table& table = program_.tables[i];
    for (const auto& row : rows[i])
      state[program::row_key(table, program::primary_key_of(table, row))] =
          program::Value::list(row);
  }
  return store::check_invariants(program_, questions_, state, {},
                                 program::Granularity::Row);
}

}  // namespace isomer::explore
