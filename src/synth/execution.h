// SPDX-License-Identifier: MIT
// Does a level allow a small history?  The witness relations are searched with SAT, and an
// answer is evaluated against the level's text before anybody sees it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "level/history_tables.h"
#include "level/least.h"

namespace isomer::synth {

using level::Execution;
using level::HistoryTables;
using level::Truth;

struct NoExecution {
  std::vector<std::string> axioms;  // a minimal set that no execution satisfies together
  bool is_base = false;             // all of them are the framework's own
};

struct OutOfTime {};

using ExecutionAnswer = std::variant<Execution<Truth>, NoExecution, OutOfTime>;

// `explain`: find the axioms of a NoExecution (else it has none).
ExecutionAnswer find_execution(const level::LeastForm& form,
                               const HistoryTables<Truth>& tables, const Budget& budget,
                               bool explain);

// The same question put to the fast checker of a built-in level, which shares nothing with
// the search; absent if the level has none, or the history cannot be written down.  Of the
// execution only the order is given.
std::optional<ExecutionAnswer> ask_fast_checker(const level::Level& level,
                                                const HistoryTables<Truth>& tables,
                                                const Budget& budget);

}  // namespace isomer::synth
