// SPDX-License-Identifier: MIT
// Executions that are determined by a total order: every other witness relation is the
// least one that the axioms demand.
//
// Axioms of the form `E in v`, with v a witness that is no order and E growing with v, say
// what v must at least contain: so in vis, vis ; vis in vis, ar ; vis in vis.  For a fixed
// history and fixed orders there is a least v that satisfies all of them.  So does
// `E in v | v^-1` where v lies inside a total order o: it says (E | E^-1) & o in v; and
// likewise `total v on S`.  If every other axiom can only be spoiled by a larger v (as "no
// visible writer of x after the one that was read" is), then an execution with these orders
// exists if and only if the least v makes one: the level is *least-decided*.  All of
// Cerone's levels are.
#pragma once

#include <optional>
#include <vector>

#include "level/encode.h"
#include "level/level.h"

namespace isomer::level {

// body in witness, for all values of the variables.
struct Rule {
  struct Variable {
    std::uint32_t number;
    Sort sort;
  };

  TermId body;
  std::uint32_t witness;
  std::vector<Variable> variables;
};

struct LeastForm {
  Level level;  // the same level; its terms may have grown by rewritten bodies
  std::vector<Rule> rules;
  bool is_least_decided = false;
};

LeastForm least_form(const Level& level);

// The index of the first witness that is a total order of all transactions; absent if there
// is none.
std::optional<std::uint32_t> main_order(const Level& level);

// Whether the axioms put r inside this witness, by inclusions alone: so in vis, vis in ar.
// `op` is Op::So or Op::Wr.
bool is_included(const Level& level, Op op, std::uint32_t witness);

// Whether the axioms put the initial transaction first in this order.
bool is_init_first(const Level& level, std::uint32_t order);

// The same order of all transactions for each total-order witness (and key); no table for
// the others.
Execution<Bit> orders_alike(const Level& level, const HistoryTables<Bit>& tables,
                            const Matrix<Bit>& order);

// The total-order witnesses are `orders` (of all transactions, cut down to what each is an
// order of), every other witness is the least relation.  Where the history is open, the
// relation is exact if it is found in few rounds, as for all shipped levels; else it may be
// smaller than the least.
Execution<Bit> least_execution(Circuit& circuit, const LeastForm& form,
                               const HistoryTables<Bit>& tables,
                               const Execution<Bit>& orders);

}  // namespace isomer::level
