// SPDX-License-Identifier: MIT
// The witness relations of a level on a part of a history, as open as the level's framework
// leaves them: what its axioms settle at once is constant.
#pragma once

#include <array>
#include <vector>

#include "level/encode.h"
#include "level/part_tables.h"

namespace isomer::check {

struct NarrowExecution {
  level::Execution<logic::Bit> execution;
  // Clauses that make the total orders orders.
  std::vector<std::array<logic::Bit, 3>> clauses;
  // Facts about the other relations: they relate what exists.
  std::vector<logic::Bit> facts;
  // The framework's axioms cannot hold together.
  bool is_contradictory = false;
};

NarrowExecution narrow_execution(logic::Circuit& circuit, const level::Level& level,
                                 const level::Part& part, const level::OpenTables& open);

}  // namespace isomer::check
