// SPDX-License-Identifier: MIT
// A history of the search as people and other engines know it: the transactions run again,
// with every access, value and place.
#pragma once

#include <vector>

#include "explore/explore.h"
#include "explore/ordered_history.h"
#include "store/consistency.h"
#include "store/ran_transaction.h"

namespace isomer::explore {

// In the history order.
template <std::size_t Words>
std::vector<store::RanTransaction> ran_transactions(
    const Program& program, const std::vector<ProgramTxn>& transactions,
    const OrderedHistory<Words>& history, const Runs& runs,
    program::Granularity granularity);

// What is told of a run that fails: its history, its final state (absent rows may be Null),
// and the invariants in it; not yet what failed.
Failure failure_of(const Program& program, program::Granularity granularity,
                   std::vector<store::RanTransaction> ran, store::FinalState final_state);

// Who read from whom, for a level that is decided from its text.  Aborted transactions read
// too.
template <std::size_t Words>
std::vector<store::RunTransaction> reads_and_writes(
    const std::vector<ProgramTxn>& transactions, const OrderedHistory<Words>& history);

extern template std::vector<store::RanTransaction> ran_transactions(
    const Program&, const std::vector<ProgramTxn>&, const OrderedHistory<1>&, const Runs&,
    program::Granularity);
extern template std::vector<store::RanTransaction> ran_transactions(
    const Program&, const std::vector<ProgramTxn>&, const OrderedHistory<4>&, const Runs&,
    program::Granularity);
extern template std::vector<store::RunTransaction> reads_and_writes(
    const std::vector<ProgramTxn>&, const OrderedHistory<1>&);
extern template std::vector<store::RunTransaction> reads_and_writes(
    const std::vector<ProgramTxn>&, const OrderedHistory<4>&);

}  // namespace isomer::explore
