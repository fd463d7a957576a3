// SPDX-License-Identifier: MIT
// The observed run as predictions see it: what may change, and what depends on it.
//
// A key that only the initial transaction wrote leaves its readers no choice and binds
// nobody, so its reads count only as places where a session may end.  Of several such reads
// in a row one place is enough.
#pragma once

#include <vector>

#include "history/history.h"

namespace isomer::predict {

using history::History;

using TxnNumber = std::uint32_t;  // 0 is the initial one; the others by id
using KeyNumber = std::uint32_t;

// Positions count the operations of a session.
struct ObservedRead {
  TxnNumber reader;
  KeyNumber key;
  TxnNumber writer;
  std::uint32_t position;
  std::uint32_t op;
};

// All writes of a key.  A transaction that is cut behind the first one has written the key;
// others can read it only from one that is not cut before the last one.
struct ObservedWrite {
  KeyNumber key;
  std::uint32_t first;  // positions
  std::uint32_t last;
};

struct ObservedTxn {
  history::TxnId id;
  std::uint32_t session = 0;
  TxnNumber previous = 0;  // in its session; the initial one if it is the first
  std::uint32_t first_read = 0;
  std::uint32_t read_end = 0;
  std::vector<ObservedWrite> writes;  // by key
  // Where its session may end besides at one of its reads.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cuts;  // position, op

  [[nodiscard]] const ObservedWrite* find_write(KeyNumber key) const;
};

struct Observed {
  std::vector<ObservedTxn> txns;  // [0] is the initial one, with all keys written
  std::vector<ObservedRead> reads;
  std::vector<history::KeyId> keys;
  std::vector<std::vector<TxnNumber>> writers;  // by key; the initial one is first
  // By key: it can be read from the initial transaction.  Where a format has no initial
  // state, that one still comes first of all writers, but leaves nothing to read.
  std::vector<bool> has_initial_value;
  std::vector<std::vector<TxnNumber>> sessions;
};

Observed observe(const History& history);

// By read, whom else it may read from: not its own transaction, not what its session does
// later, and not the initial state if there is none.
std::vector<std::vector<TxnNumber>> readable(const Observed& observed);

}  // namespace isomer::predict
