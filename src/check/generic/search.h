// SPDX-License-Identifier: MIT
// Is there an execution of a part of a history that satisfies a level's text?
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/budget.h"
#include "level/level.h"
#include "level/part_tables.h"

namespace isomer::check {

struct Found {
  enum class Kind { Execution, None, Unknown } kind = Kind::Unknown;
  level::Choices choices;                    // Execution
  level::Execution<level::Truth> execution;  // Execution
  std::string reason;                        // Unknown: "timeout", "memory", ...
};

Found find_execution(const level::Part& part, const level::Level& level,
                     const Budget& budget);

// Of a level that has no execution of the part: axioms (indices into Level::axioms) that
// cannot hold together, such that any fewer can.  Empty if the order of versions that reads
// revealed is contradictory by itself; absent if the budget runs out.
std::optional<std::vector<std::size_t>> conflicting_axioms(const level::Part& part,
                                                           const level::Level& level,
                                                           const Budget& budget);

}  // namespace isomer::check
