// SPDX-License-Identifier: MIT
// The search for PC, PSI, SI and SER, once saturation has found nothing more.
//
// Guess and learn: a guess (schedule.h) orders all writers of each key.  If the whole graph
// then has no cycle, the guess is a witness.  If it has, each cycle says that some of the
// orders it uses cannot go together; these orders become SAT variables ("a before b", one
// for each pair of transactions, made only when a cycle needs it), the cycle becomes a
// clause, and the next guess must respect what the solver decides.  Cycles are chosen to
// use as few guessed orders as possible.  Ambiguous reads and unknown outcomes take part as
// further variables.
//
// This is the lazy form of the polygraph encodings of Cobra (OSDI'20) and PolySI (VLDB'23):
// the clauses are those of "choose an order for each pair, no cycle", but only those that a
// guess has run into exist.
#pragma once

#include "check/decide.h"
#include "check/order_graph.h"

namespace isomer::check {

// `known` is saturated and acyclic, on the certain reads of the selection.
Decision search(const Selection& selection, Level level, const OrderGraph& known,
                const Effort& effort);

}  // namespace isomer::check
