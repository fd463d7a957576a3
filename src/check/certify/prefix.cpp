// SPDX-License-Identifier: MIT
// PC, SI and SER: phi(t2, t3) is "t2 is at most at position p of co", with p depending on
// t3 alone.  Of the writers of x we look at the last one up to p.  O(log) a read.
#include <algorithm>

#include "check/certify/evidence.h"

namespace isomer::check {
namespace {

using history::init;
using history::KeyId;
using history::TxnId;

class Prefixes {
 public:
  Prefixes(const SettledHistory& ordered, Level level)
      : o_(ordered),
        level_(level),
        writers_(ordered),
        session_predecessors_(session_predecessors(ordered)) {}

  // The latest t4 with (so | wr)(t4, t3).
  [[nodiscard]] OrderIndex last_seen(TxnId t3) const {
    OrderIndex last = o_.position(session_predecessors_[t3.index]);
    for (std::size_t i = 0; i < o_.reads(t3).size(); ++i)
      last = std::max(last, o_.position(o_.writer(t3, i)));
    return last;
  }

  // phi(t2, t3) = t2 is at most at position `last`.
  [[nodiscard]] Failure failing_read(TxnId t3, OrderIndex last) const {
    for (std::size_t i = 0; i < o_.reads(t3).size(); ++i) {
      const KeyId x = o_.reads(t3)[i].key;
      const auto writers = writers_.of(x);
      const auto after = std::upper_bound(writers.begin(), writers.end(), last);
      if (after == writers.begin()) continue;
      const OrderIndex t2 = *std::prev(after);
      const TxnId t1 = o_.writer(t3, i);
      if (t2 > o_.position(t1)) return text(o_, level_, {t1, o_.order[t2], t3, x});
    }
    return std::nullopt;
  }

 private:
  const SettledHistory& o_;
  Level level_;
  WriterPositions writers_;
  std::vector<TxnId> session_predecessors_;
};

}  // namespace

// Axiom Serializability: phi(t2, t3) = co(t2, t3).
Failure failing_serializability(const SettledHistory& ordered) {
  const Prefixes prefixes(ordered, Level::SER);
  for (OrderIndex p = 1; p < ordered.order.size(); ++p)
    if (auto failure = prefixes.failing_read(ordered.order[p], p - 1)) return failure;
  return std::nullopt;
}

// Axiom Prefix: phi(t2, t3) = (co* ; (so | wr))(t2, t3), the transactions up to the latest
// one that is so- or wr-before t3.
Failure failing_prefix(const SettledHistory& ordered) {
  const Prefixes prefixes(ordered, Level::PC);
  for (const TxnId t3 : ordered.order)
    if (auto failure = prefixes.failing_read(t3, prefixes.last_seen(t3))) return failure;
  return std::nullopt;
}

// Axioms Prefix and Conflict.  Conflict: phi(t2, t3) = (co* ; [W[y]] ; co ; [W[y]])(t2,
// t3), the transactions up to the latest one before t3 that writes a key that t3 writes.
Failure failing_snapshot(const SettledHistory& ordered) {
  const Prefixes prefixes(ordered, Level::SI);
  std::vector<OrderIndex> last_writer(ordered.history.key_count(), 0);
  for (const TxnId t3 : ordered.order) {
    OrderIndex last = prefixes.last_seen(t3);
    for (const KeyId y : ordered.history.writes(t3)) {
      last = std::max(last, last_writer[y.index]);
      last_writer[y.index] = ordered.position(t3);
    }
    if (auto failure = prefixes.failing_read(t3, last)) return failure;
  }
  return std::nullopt;
}

}  // namespace isomer::check
