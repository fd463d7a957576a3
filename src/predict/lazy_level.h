// SPDX-License-Identifier: MIT
// A level of large runs: what it forbids is learned when a candidate does it.
//
// The text of a level on T transactions and K keys takes about T^2 (T + K) gates, which is
// too many for hundreds of transactions.  The built-in levels have checkers that decide one
// history quickly, so a candidate is checked, and a violation is a cycle whose edges rest
// on few reads, writes and transactions: one of these must differ from now on.
//
// One at a time that would never end, since nearly every single changed read is a stale
// one. So these are forbidden beforehand: with the boundary rule Closed, everything that
// happens before a transaction that takes part is as it was observed.  If read r of t may
// read x from w, and another writer u of x happened after w in the observed run, then co
// has w before u, and the level must not have u before w because of r:
//
//     RC  no earlier read of t reads from u
//     RA  neither so nor wr has u directly before t
//     CC and stronger  u does not happen before t
#pragma once

#include <optional>
#include <vector>

#include "predict/orders.h"

namespace isomer::predict {

// Session order and who read from whom, closed; absent if it has a cycle.
std::optional<TxnOrder> happens_before(const Observed& observed);

// Takes out those from whom the level lets nobody read: by session order alone, another
// writer of the key that happened after them is seen; as many as there is time for.  Rule
// Closed only.
void remove_overwritten(const Observed& observed, const TxnOrder& before,
                        check::Level level, std::vector<std::vector<TxnNumber>>& readable,
                        const Budget& budget);

// What each of the levels but SER forbids of single reads.  Rule Closed only.
std::vector<Bit> forbid_stale_reads(Circuit& circuit, const Observed& observed,
                                    const Feasible& feasible, const TxnOrder& before,
                                    check::Level level);

// The bits of which one must hold: something that the violation rests on is different.
// `numbers`: by transaction of the violated history, whose keys are KeyNumbers.
std::vector<Bit> violation_lesson(const Observed& observed, const Feasible& feasible,
                                  const CandidateRun& candidate,
                                  const check::Violated& violation,
                                  const std::vector<TxnNumber>& numbers);

}  // namespace isomer::predict
