// SPDX-License-Identifier: MIT
// Invariants that every program has: its constraints hold at the end, and no update is
// lost.
#pragma once

#include <string>
#include <vector>

#include "verify/replay.h"

namespace isomer::verify {

// UNIQUE and FOREIGN KEY as queries over the final state: "unique account (name)".
std::vector<program::Invariant> constraint_invariants(const Program& program);

constexpr std::string_view lost_updates_name = "no lost updates";

// Some row lost an update.  In a serial run a number changes from the initial to the final
// state by the sum of what the transactions changed it by, each from what it had read to
// what it wrote.  Rows that were inserted, deleted or NULL in between do not count.
Term lost_update(SymbolicProgram& symbolic, const std::vector<Row>& last);

// The same of a run; the name of a key that lost one, or nothing.
std::string lost_update(const ConcreteModel& model, const Replay& replay,
                        const store::FinalState& final_state);

}  // namespace isomer::verify
