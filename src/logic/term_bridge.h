// SPDX-License-Identifier: MIT
// Terms as nodes of a circuit, where the axioms of levels are grounded, and back.
#pragma once

#include <unordered_map>

#include "logic/circuit.h"
#include "logic/term.h"

namespace isomer::logic {

class TermBridge {
 public:
  explicit TermBridge(Terms& terms) : terms_(terms) {}

  Circuit circuit;

  // A variable of the circuit that stands for the truth of the term: the same for the same
  // term, and the negated one for its negation.
  Bit bit(Term term);

  // What the bit says.  A variable of the circuit that stands for no term becomes an
  // unknown.
  Term term(Bit bit);

 private:
  Term term_of_node(std::uint32_t node);

  Terms& terms_;
  std::unordered_map<Term, Bit> bits_;
  std::unordered_map<std::uint32_t, Term> terms_of_;  // by node
};

}  // namespace isomer::logic
