// SPDX-License-Identifier: MIT
// A few transactions cut out of a history: does any commit order of them satisfy a level?
// Tries them all.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "check/level.h"
#include "history/history.h"

namespace isomer::check {

// A handful of transactions, numbered from 0 for the initial one, then session by session
// in session order.  Keys are dense.
struct SmallHistory {
  struct Read {
    std::uint32_t key;
    std::vector<std::uint32_t> writers;  // one of these wrote what was read
  };

  struct Txn {
    std::uint32_t session = 0;
    bool took_effect = true;  // off: only if something reads from it
    std::vector<Read> reads;  // external, in program order
    std::vector<std::uint32_t> writes;
  };

  std::vector<Txn> txns;
  // By key: the order of versions as far as it is known; other writers come after.
  std::vector<std::vector<std::uint32_t>> version_orders;
};

// Who of unknown outcome counts as committed in a restriction.
enum class UnknownOutcomes : std::uint8_t {
  SeenByAnybody,    // all that the whole history shows to have taken effect
  SeenByNamedOnes,  // only those that the restriction itself shows
};

// The history of only these transactions and the initial one.  A read that read from a
// transaction left out, or may have, says nothing any more.
SmallHistory restriction(const history::History& history,
                         std::span<const history::TxnId> named, UnknownOutcomes unknown);

// The most transactions, the initial one included, that exists_order() takes.
inline constexpr std::size_t exhaustive_txns_max = 15;

// Absent if the search gave up after `steps_max` placed transactions.
std::optional<bool> exists_order(const SmallHistory& history, Level level,
                                 std::uint64_t steps_max);

}  // namespace isomer::check
