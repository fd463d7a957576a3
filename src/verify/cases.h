// SPDX-License-Identifier: MIT
// The cases of a disjunction.
//
// "Two courses share a slot" is broken by one pair of courses and one slot.  As one formula
// that is a disjunction, often below a conjunction:
//
//   c && (a || b)   has the cases   c && a,  c && b
//
// A solver that is told of one case after the other proves each in few steps.
#pragma once

#include <vector>

#include "logic/term.h"

namespace isomer::verify {

// Terms one of which is true if and only if the term is: itself alone, if it has no cases,
// or too many.
std::vector<logic::Term> cases_of(logic::Terms& terms, logic::Term term);

}  // namespace isomer::verify
