// SPDX-License-Identifier: MIT
// Do the invariants of a scenario hold in what a schedule leaves behind: the rows, and how
// its calls ended (program/call_table.h)?
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

  // `sessions` have made the calls: those of the program, or some of them.
  [[nodiscard]] std::vector<store::InvariantOutcome> invariants(
      const std::vector<program::Session>& sessions, const ScheduleOutcome& outcome) const;

 private:
  void add_calls(store::FinalState& state, const std::vector<program::Session>& sessions,
                 const std::vector<std::vector<database::CallEnd>>& calls) const;

  const program::Program& program_;
  bool asks_for_calls_ = false;
  program::Program questions_;
};

}  // namespace isomer::explore
