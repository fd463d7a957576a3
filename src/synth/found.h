// SPDX-License-Identifier: MIT
// From the tables of a search to a history for people.
#pragma once

#include <span>
#include <string>

#include <tl/expected.hpp>

#include "synth/search.h"
#include "synth/synth.h"

namespace isomer::synth {

// The history with its witnesses, each re-checked: every allowed level's execution is
// evaluated against the level's text, and every forbidden level is asked again for its
// failing axioms.  Every key begins at this value.  Absent if the time ran out.
std::optional<Found> make_found(const Problem& problem, const CandidateHistory& candidate,
                                std::int64_t initial_value, const Budget& budget);

// Every level of `allow` must allow the history and every one of `forbid` forbid it
// (check/certify/certified.h).  Sets levels.
tl::expected<check::Certified<Found>, std::string> certify(Found found,
                                                           std::span<const Level> allow,
                                                           std::span<const Level> forbid,
                                                           const Budget& budget);

// The history alone, and the ids of its transactions by their number in the search.  Absent
// if its session order is no union of sessions.
struct Written {
  History history;
  std::vector<TxnId> ids;
};

std::optional<Written> write_history(const HistoryTables<Truth>& tables);

// A text that two histories share if and only if one is the other with transactions, keys
// and values renamed.  Tries every order of the transactions.
std::string canonical_form(const HistoryTables<Truth>& tables);

}  // namespace isomer::synth
