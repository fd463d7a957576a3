// SPDX-License-Identifier: MIT
// What a history shows: the dependencies of an anomaly, and whether it does harm.
#pragma once

#include <optional>
#include <vector>

#include "audit/audit.h"
#include "check/asked_level.h"
#include "history/history.h"

namespace isomer::audit {

// For each dependency of a cycle, the candidates for it.
using Choices = std::vector<std::vector<Dependency>>;

// First and second of an order.
using TxnPair = std::pair<history::TxnId, history::TxnId>;

// Dependencies of a history, and what they say of an execution.
struct Occurring {
  std::vector<Dependency> dependencies;
  std::vector<TxnPair> arbitrated;
  std::vector<TxnPair> unseen;  // the first is not visible to the second
};

// One of each that the history may show, between the same statements and on the same
// column, with the keys of the history; nothing if one has none, or a transaction has not
// committed.  Transaction i of the dependencies is the one of session i.
std::optional<Occurring> occurring(const Program& program, const history::History& history,
                                   program::Granularity granularity,
                                   const Choices& choices);

// A history does not say who overwrites whom.  Is there an execution of the level that the
// history may be and that has all of the dependencies?
bool has_execution(const history::History& history, const level::Level& level,
                   const Occurring& occurring, const Budget& budget);

// Does some serial order of the scenario's calls, one a session, end in the same state and
// give each the same result as the history?  Absent if that could not be found out.  Where
// the history may end in several states, it is about the first of them.
std::optional<bool> has_serial_outcome(const Program& scenario,
                                       const history::History& history,
                                       const Options& options,
                                       const check::AskedLevel& level);

}  // namespace isomer::audit
