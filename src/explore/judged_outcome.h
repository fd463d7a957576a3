// SPDX-License-Identifier: MIT
// Do the invariants of a scenario hold in the rows that a schedule leaves behind?
#pragma once

#include <vector>

#include "explore/schedules.h"
#include "program/ir.h"
#include "store/store.h"

namespace isomer::explore {

class OutcomeJudge {
 public:
  // The program must outlive it.
  explicit OutcomeJudge(const program::Program& program);

  [[nodiscard]] std::vector<store::InvariantOutcome> invariants(
      const TableRows& rows) const;

 private:
  const program::Program& program_;
  program::Program questions_;
};

}  // namespace isomer::explore
