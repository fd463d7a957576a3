// SPDX-License-Identifier: MIT
// From a model of the solver to a program with values, which the concrete interpreter
// executes.  Nothing that the solver says is shown before this agrees.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "logic/term_solver.h"
#include "store/consistency.h"
#include "store/ran_transaction.h"
#include "verify/exact.h"

namespace isomer::verify {

// A model with concrete values in place of terms.
struct ConcreteModel {
  program::Program program;  // with these initial rows and arguments
  std::vector<std::pair<std::string, program::Value>> symbols;

  struct Read {
    program::KeyName key;
    std::uint32_t writer = 0;  // transaction, from 1; 0: the initial one
  };

  std::vector<std::vector<Read>> reads;            // by transaction, from 0 for the first
  std::vector<store::Place> places;                // of transactions
  std::map<program::KeyName, std::uint32_t> last;  // who wrote it last
  std::vector<std::uint32_t> order;  // of commits: transactions, from 1; may be empty
  std::vector<std::vector<std::uint32_t>> sees;  // by transaction; may be empty
  bool has_repeated_reads = false;               // a read stands for all of its key
};

// What no program can have, as a value or as a text in between two, is why there is none.
tl::expected<ConcreteModel, std::string> concrete_model(const SymbolicProgram& symbolic,
                                                        const ExecutionTerms& execution,
                                                        const logic::TermSolver& solver);

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
