// SPDX-License-Identifier: MIT
// The part of a recorded history that a level looks at, and what is open in it.
//
// The transactions are those that committed, and those of unknown outcome: these may or may
// not have taken effect, unless somebody saw them.  A read whose value several transactions
// wrote read from exactly one of them.
//
// Part of a history is a history too: of some transactions and init, without the reads that
// read, or may have read, from others.  Keys and values are those that the transactions
// touch.  A read that nothing explains (thin air and the like) shows only as a flaw of its
// transaction.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "history/history.h"
#include "level/level.h"

namespace isomer::level {

// Any order of values will do, as long as it is one.
bool is_value_before(history::Value a, history::Value b);

// What the rows and columns of the tables stand for, in ids of the history.
struct TableIndex {
  std::vector<history::TxnId> txns;  // init, then by id
  std::vector<history::KeyId> keys;  // by id
  std::vector<history::ReadId> reads;
  std::vector<history::Value> values;  // by is_value_before(); none unless asked for

  // The place of a transaction in `txns`; absent if it is not there.
  [[nodiscard]] std::optional<std::size_t> place(history::TxnId t) const;
};

// Where a history leaves something open.
struct OpenRead {
  history::ReadId read;
  std::vector<history::TxnId> candidates;
};

// Places of two transactions: both write some key, and the first one's version is known to
// be older.  Only list-append histories tell; init's is the oldest.
using VersionPair = std::pair<std::size_t, std::size_t>;

struct KnownVersions {
  std::size_t key;  // its place in TableIndex::keys
  std::vector<VersionPair> pairs;
};

// A history or part of it as a level sees it, before choices are made.
struct Part {
  const history::History& history;
  TableIndex index;
  bool has_events = false;  // the level speaks of single reads
  std::vector<OpenRead> open_reads;
  std::vector<history::TxnId> open_txns;  // which may or may not have taken effect
  std::vector<KnownVersions> versions;
};

// All of the history; or only these transactions, by id (init is always in), perhaps
// without some of their reads.
Part whole(const history::History& history, const Level& level);
Part part(const history::History& history, const Level& level,
          std::span<const history::TxnId> transactions,
          std::span<const history::ReadId> dropped = {});

// One way to settle what is open.
struct Choices {
  std::vector<history::TxnId> writers;  // by Part::open_reads
  std::vector<bool> took_effect;        // by Part::open_txns
};

// Choices that no history has: a transaction that was read from did take effect.
bool is_possible(const Part& part, const Choices& choices);

}  // namespace isomer::level
