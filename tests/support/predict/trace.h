// SPDX-License-Identifier: MIT
// Small serial runs, as plain vectors: what the brute force works on.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"
#include "history/history.h"

namespace isomer::predict {

template <class Vector>
decltype(auto) at(Vector& vector, int index) {
  return vector[static_cast<std::size_t>(index)];
}

constexpr int initial = -1;  // in place of a transaction

struct TraceOp {
  bool is_write = false;
  int key = 0;
  // Of a read: who wrote what it returns; its own transaction if that wrote the key before.
  int writer = initial;
};

struct TraceTxn {
  int session = 0;
  std::vector<TraceOp> ops;
  bool is_aborted = false;
};

// Transactions in the order in which they ran; those of a session are in session order.
struct Trace {
  int session_count = 0;
  int key_count = 0;
  std::vector<TraceTxn> txns;
  bool has_initial_values = true;  // else every read reads from a transaction

  // As many transactions of its session before it.
  [[nodiscard]] int number(int txn) const;
  // The id and the first operation that it has in `history`.
  [[nodiscard]] history::TxnId id(int txn) const;
  // Its last write of the key among its first `length` operations; -1 if there is none.
  [[nodiscard]] int last_write(int txn, int key, int length) const;
  // What an operation writes: no two write the same.
  [[nodiscard]] int value(int txn, int op) const;

  [[nodiscard]] bool is_external_read(int txn, int op) const {
    const TraceOp& o = at(at(txns, txn).ops, op);
    return !o.is_write && o.writer != txn;
  }
};

// Two or three sessions, up to six transactions, three keys and five operations each.  Keys
// are often written again by who has written them, before and behind reads.
Trace random_trace(Random& random);

// The same, now and then with transactions that were rolled back, or without initial
// values.
Trace random_trace_with_aborts(Random& random);

// Without one operation.
std::vector<Trace> smaller(const Trace& trace);

history::History history_of(const Trace& trace);

// The run of a history, without its values.
Trace trace_of(const history::History& history);

// In the format hist.
std::string text(const Trace& trace);

// Session by session, the operations with their values; sessions without transactions are
// left out.
std::string text(const history::History& history);

}  // namespace isomer::predict
