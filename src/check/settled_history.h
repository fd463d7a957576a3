// SPDX-License-Identifier: MIT
// A history with every question answered: who wrote what each read returned, and in which
// order the transactions that took effect committed.  What certify evaluates axioms on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/level.h"
#include "history/history.h"

namespace isomer::check {

using OrderIndex = std::uint32_t;  // in a commit order

struct SettledHistory {
  static constexpr OrderIndex not_placed = 0xffffffffU;

  const history::History& history;
  std::vector<history::TxnId> order;    // the initial one first
  std::vector<OrderIndex> positions;    // by transaction
  std::vector<history::TxnId> writers;  // by read

  [[nodiscard]] OrderIndex position(history::TxnId t) const { return positions[t.index]; }

  [[nodiscard]] bool took_effect(history::TxnId t) const {
    return position(t) != not_placed;
  }

  // The external reads of t; none if it is not known to have committed.
  [[nodiscard]] std::span<const history::Read> reads(history::TxnId t) const;

  // Whom the i-th of these read from.
  [[nodiscard]] history::TxnId writer(history::TxnId t, std::size_t i) const {
    return writers[history.read_offsets()[t.index] + i];
  }
};

// Who wrote a key, by position.  The initial transaction is not listed.
class WriterPositions {
 public:
  explicit WriterPositions(const SettledHistory& ordered);

  [[nodiscard]] std::span<const OrderIndex> of(history::KeyId x) const {
    return std::span(positions_)
        .subspan(first_[x.index], first_[x.index + 1] - first_[x.index]);
  }

 private:
  std::vector<OrderIndex> positions_;  // of each key, ascending
  std::vector<std::uint64_t> first_;   // key_count + 1
};

// By transaction, the last one before it in its session that took effect; else init.
std::vector<history::TxnId> session_predecessors(const SettledHistory& ordered);

// The latest transaction of session s that took effect, wrote x, and is `limit` or
// so-before it; init if there is none.
history::TxnId latest_writer_in_session(const SettledHistory& ordered, history::KeyId x,
                                        history::SessionId s, history::TxnId limit);

// A case of an axiom that fails.
struct AxiomFailure {
  history::TxnId t1;  // who was read from
  history::TxnId t2;  // who was seen, too
  history::TxnId t3;  // the reader
  history::KeyId x;
};

std::string text(const SettledHistory& ordered, Level level, const AxiomFailure& failure);

}  // namespace isomer::check
