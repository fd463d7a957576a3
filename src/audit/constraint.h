// SPDX-License-Identifier: MIT
// What levels demand of a few transactions of an execution.
//
// The transactions of a cycle are only some of those that run, so an axiom may be demanded
// of them alone only if it is inherited by parts of executions: it must say what holds for
// all transactions and never what must exist.  The axioms of the vis/ar levels do.  Where
// types have different levels, mixed_level.h makes one of them.
#pragma once

#include <span>
#include <vector>

#include "audit/audit.h"
#include "base/matrix.h"
#include "logic/term.h"

namespace isomer::audit {

using logic::Term;
using logic::Terms;

// An execution's part, in terms.
struct Visibility {
  Matrix<Term> vis;
  Matrix<Term> ar;
  std::vector<std::vector<Term>> writers;  // by key, then transaction: is known to write it
  std::vector<Matrix<Term>> wr;            // by key
};

// Open vis and ar of that many transactions; ar is a total order, by `facts`.
Visibility open_visibility(Terms& terms, std::size_t count, std::vector<Term>& facts);

// The axioms of the plan's levels for transactions of these types.
Term demanded(Terms& terms, const Plan& plan, std::span<const std::uint32_t> types,
              const Visibility& execution);

// The next two are false if the budget ends before they are proved: whoever uses them
// assumes less then.

// Of two transactions of these types that write one key, one sees the other.
bool writers_conflict(const Plan& plan, std::uint32_t first, std::uint32_t second,
                      const Budget& budget);

// Who sees a transaction of these levels sees all that it saw.
bool sees_transitively(const Plan& plan, const Budget& budget);

// All types have one level, and it does not ask which type a transaction has.
bool is_uniform(const Plan& plan);

}  // namespace isomer::audit
