// SPDX-License-Identifier: MIT
// RC and RA: phi has only direct edges.  To compare t3 with a t2 it sees, we walk the
// smaller of two lists, the keys that t2 writes and the keys that t3 reads; a transaction
// that writes everything and that everybody reads from is no problem then.
#include <algorithm>
#include <utility>

#include "check/certify/evidence.h"

namespace isomer::check {
namespace {

using history::init;
using history::KeyId;
using history::TxnId;

// The oldest version that one transaction read of each key.
class OldestReads {
 public:
  OldestReads(const SettledHistory& ordered, Level level)
      : o_(ordered),
        level_(level),
        reader_of_(ordered.history.key_count()),
        oldest_(ordered.history.key_count(), 0) {}

  void begin(TxnId t3) {
    t3_ = t3;
    keys_.clear();
  }

  void add(std::size_t read) {
    const KeyId x = o_.reads(t3_)[read].key;
    const OrderIndex t1 = o_.position(o_.writer(t3_, read));
    if (std::exchange(reader_of_[x.index], t3_) == t3_) {
      oldest_[x.index] = std::min(oldest_[x.index], t1);
    } else {
      oldest_[x.index] = t1;
      keys_.push_back(x);
    }
  }

  // t3 sees t2: of the keys added, it must not have read a version older than t2's.
  [[nodiscard]] Failure failing_read(TxnId t2) const {
    if (t2 == init) return std::nullopt;
    const auto writes = o_.history.writes(t2);
    if (writes.size() <= keys_.size()) {
      const auto x = std::find_if(writes.begin(), writes.end(),
                                  [&](KeyId y) { return is_older(y, t2); });
      return x == writes.end() ? std::nullopt : failure(*x, t2);
    }
    const auto x = std::find_if(keys_.begin(), keys_.end(), [&](KeyId y) {
      return is_older(y, t2) && o_.history.is_writer(t2, y);
    });
    return x == keys_.end() ? std::nullopt : failure(*x, t2);
  }

 private:
  [[nodiscard]] bool is_older(KeyId x, TxnId t2) const {
    return reader_of_[x.index] == t3_ && oldest_[x.index] < o_.position(t2);
  }

  [[nodiscard]] Failure failure(KeyId x, TxnId t2) const {
    return text(o_, level_, {o_.order[oldest_[x.index]], t2, t3_, x});
  }

  const SettledHistory& o_;
  Level level_;
  TxnId t3_;
  std::vector<KeyId> keys_;
  std::vector<TxnId> reader_of_;    // by key: whom its oldest_ is about
  std::vector<OrderIndex> oldest_;  // by key
};

// so alone: the latest earlier writer of x in the session of t3.
Failure failing_session(const SettledHistory& o, TxnId t3, TxnId predecessor) {
  for (std::size_t i = 0; i < o.reads(t3).size(); ++i) {
    const KeyId x = o.reads(t3)[i].key;
    const TxnId t1 = o.writer(t3, i);
    const TxnId t2 = latest_writer_in_session(o, x, o.history.session(t3), predecessor);
    if (o.position(t2) > o.position(t1)) return text(o, Level::RA, {t1, t2, t3, x});
  }
  return std::nullopt;
}

}  // namespace

// Axiom Read Committed: phi(t2, r) = t2 rf ; po r, where r is the event by which t3 reads x
// from t1.  Backwards, so that the keys added are those of later reads; of several reads
// from one t2 the first has the most later reads, so it alone is compared.
Failure failing_read_committed(const SettledHistory& ordered) {
  OldestReads later(ordered, Level::RC);
  std::vector<TxnId> last_reader(ordered.history.txn_count());
  std::vector<bool> is_first;
  for (const TxnId t3 : ordered.order) {
    const std::size_t count = ordered.reads(t3).size();
    is_first.assign(count, false);
    for (std::size_t i = 0; i < count; ++i)
      is_first[i] = std::exchange(last_reader[ordered.writer(t3, i).index], t3) != t3;
    later.begin(t3);
    for (std::size_t i = count; i-- > 0; later.add(i))
      if (is_first[i])
        if (auto failure = later.failing_read(ordered.writer(t3, i))) return failure;
  }
  return std::nullopt;
}

// Axiom Read Atomic: phi(t2, t3) = (so | wr)(t2, t3).
Failure failing_read_atomic(const SettledHistory& ordered) {
  const std::vector<TxnId> predecessors = session_predecessors(ordered);
  OldestReads all(ordered, Level::RA);
  std::vector<TxnId> last_reader(ordered.history.txn_count());
  for (const TxnId t3 : ordered.order) {
    if (auto failure = failing_session(ordered, t3, predecessors[t3.index])) return failure;
    const std::size_t count = ordered.reads(t3).size();
    all.begin(t3);
    for (std::size_t i = 0; i < count; ++i)
      all.add(i);
    for (std::size_t i = 0; i < count; ++i) {
      const TxnId t2 = ordered.writer(t3, i);
      if (std::exchange(last_reader[t2.index], t3) == t3) continue;
      if (auto failure = all.failing_read(t2)) return failure;
    }
  }
  return std::nullopt;
}

}  // namespace isomer::check
