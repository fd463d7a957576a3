// SPDX-License-Identifier: MIT
// A model executed by the concrete interpreter.  Nothing that the solver says is shown
// before this agrees.
#pragma once

#include "verify/concrete_model.h"

namespace isomer::verify {

// The model run by the interpreter.
struct Replay {
  std::vector<store::RanTransaction> ran;  // writers first
  store::FinalState final_state;
  // Indexes into `ran`; empty if no one order of commits leads to this final state, which
  // some levels allow.
  std::vector<std::uint32_t> commit_order;
  // As levels see it, with the observer who sees the final state last.
  std::vector<store::RunTransaction> observed;
};

// Transactions read from each other, or from later ones of their session, in a circle.
bool goes_in_a_circle(const ConcreteModel& model);

// Or where the run leaves the model.
tl::expected<Replay, std::string> replay(const ConcreteModel& model);

}  // namespace isomer::verify
