// SPDX-License-Identifier: MIT
// Proofs that one level implies another on histories of any size.  The head of the source
// says how.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "level/level.h"

namespace isomer::synth {

struct Proved {
  // How an execution of the weaker level is made from one of the stronger:
  // "vis := (so | wr)+, ar := co".  Empty if the weaker level has no witnesses.
  std::string choice;
  // What was proved on the way: "(so | wr)+ in co".
  std::vector<std::string> lemmas;
};

// Says nothing about whether the implication is true.
struct NotProved {
  std::string reason;
};

struct ProofResult {
  std::variant<Proved, NotProved> outcome;
  double seconds = 0;
  std::size_t question_count = 0;  // to the solver

  [[nodiscard]] const Proved* proof() const { return std::get_if<Proved>(&outcome); }
};

inline constexpr double prove_seconds_default = 10;

// Tries to prove: every history that `stronger` allows, `weaker` allows.
ProofResult prove_implication(const level::Level& stronger, const level::Level& weaker,
                              const Budget& budget);

// What is true of every history, as a level text: a level without witnesses that allows
// every history, so that proofs may assume its axioms.
const level::Level& history_facts();

}  // namespace isomer::synth
