// SPDX-License-Identifier: MIT
// Every execution that a level allows: who reads from whom is open for each read, the
// witness relations of the level's framework (vis and ar, or co) are open, and the axioms
// are those of its text, grounded over the transactions and keys of the program.
//
// Beside the transactions there is an observer, who comes after all of them and reads every
// key that was written: the final states of a level are what an observer may see who has
// seen everything (store/final_states.h).
#pragma once

#include <string>
#include <vector>

#include "base/matrix.h"
#include "level/level.h"
#include "verify/symbolic_program.h"

namespace isomer::verify {

// Whom each read reads from.
struct ReadChoice {
  std::uint32_t transaction = 0;  // from 1; transactions + 1: the observer
  std::size_t read = 0;           // index into Summary::reads; of the observer: into sites
  // By transaction, the initial one first: does the read read from it?
  std::vector<Term> writer;
};

// What an encoding says of executions.
struct ExecutionTerms {
  std::vector<Term> facts;
  std::vector<Row> last;  // the final state, by site
  std::vector<ReadChoice> choices;
  // Witness relations by name (co; vis, ar), over the transactions with the initial one
  // first and the observer last.
  std::vector<std::pair<std::string, Matrix<Term>>> witnesses;
  std::string total_order;  // which of them orders all transactions; empty: none
};

ExecutionTerms encode_exact(SymbolicProgram& symbolic, const level::Level& level);

}  // namespace isomer::verify
