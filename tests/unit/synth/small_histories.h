// SPDX-License-Identifier: MIT
// All histories of a tiny scope, and whether a level allows one, by trying everything.
// Shares with the search nothing but the tables and level/eval.
#pragma once

#include <functional>
#include <vector>

#include "level/history_tables.h"
#include "level/level.h"

namespace isomer::synth {

using level::HistoryTables;
using level::Truth;

// Calls visit with every history of exactly `transactions` transactions and at most `keys`
// keys: sessions are chains, each transaction has an operation, reads are repeatable.  Keys
// that nobody uses come last; otherwise nothing is left out as symmetric.
void for_each_history(std::size_t transactions, std::size_t keys,
                      const std::function<void(const HistoryTables<Truth>&)>& visit);

// Tries every order for every total-order witness, and for the others every part of the
// first order (all shipped frameworks want that) or, without an order, nothing else.
bool is_allowed(const level::Level& level, const HistoryTables<Truth>& tables);

std::size_t operation_count(const HistoryTables<Truth>& tables);

}  // namespace isomer::synth
