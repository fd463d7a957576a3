// SPDX-License-Identifier: MIT
// Every axiom has the form
//
//   forall x, t1 != t2, t3:  wr[x](t1, t3) and t2 writes x and phi(t2, t3)  =>  co(t2, t1)
//
// so for each read of x by t3 it is enough to look at the writer t2 of x that is latest in
// co among those with phi(t2, t3): it must not be later than t1.  That makes the evaluation
// as cheap as finding that one writer:
//
//   SER, PC, SI  phi(t2, t3) is "t2 is at most at position p of co", p depending on t3
//                alone: the latest writer of x up to p.
//   RC, RA       phi has only direct edges: walk the smaller of two lists, the keys that t2
//                writes and the keys that t3 reads.
//   CC, PSI      phi(t2, t3) is a transitive relation that contains so: by session, a clock
//                of t3 tells the last transaction in that relation, as in vector clocks.
//
// PSI has two witnesses, ar and vis; we are given only ar.  The least vis is enough.  Let
// vis be any that satisfies the level with ar.  NoConflict and vis in ar leave it no choice
// but to contain ww = { (t, u) | ar(t, u), both write some x }; it contains so and wr, and
// it is transitive.  So it contains vis0 = (so | wr | ww)+.  And vis0 satisfies the level
// as well: it is in ar since so, wr and ww are and ar is transitive; it is transitive;
// NoConflict holds by ww; and EXT asks less of it, since vis stands only on the left of the
// axiom.
#include "check/certify_axioms.h"

#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>

namespace isomer::check {
namespace {

using history::History;
using history::init;
using history::KeyId;
using history::Read;
using history::SessionId;
using history::Status;
using history::TxnId;
using Position = std::uint32_t;
using Failure = std::optional<std::string>;

// Clocks may take this many bytes; beyond, sessions are done block by block.
constexpr std::uint64_t clock_bytes_max = std::uint64_t{2} << 30;

struct Instance {
  TxnId t1;  // who was read from
  TxnId t2;  // who was seen, too
  TxnId t3;  // the reader
  KeyId x;
};

class Axioms {
 public:
  explicit Axioms(const OrderedHistory& ordered) : o_(ordered), h_(ordered.history) {}

  Failure read_committed();
  Failure read_atomic();
  Failure causal();
  Failure prefix();
  Failure prefix_and_conflict();
  Failure parallel_snapshot();
  Failure serializability();

 private:
  enum class Seen : std::uint8_t { SoWr, SoWrWw };

  [[nodiscard]] std::span<const Read> reads(TxnId t) const {
    return h_.status(t) == Status::Committed ? h_.reads(t) : std::span<const Read>();
  }

  [[nodiscard]] TxnId writer(TxnId t3, std::size_t read) const {
    return o_.writer[h_.read_offsets()[t3.index] + read];
  }

  [[nodiscard]] Position position(TxnId t) const { return o_.position[t.index]; }

  [[nodiscard]] Failure fails(Level level, const Instance& at) const;

  void index_writers_by_position();
  void index_session_predecessors();
  [[nodiscard]] std::span<const Position> writer_positions(KeyId x) const;
  [[nodiscard]] Position snapshot(TxnId t3) const;
  Failure reads_up_to(Level level, TxnId t3, Position last) const;

  void note_read_key(TxnId t3, KeyId x, Position t1);
  Failure compare_writes(Level level, TxnId t2, TxnId t3);
  Failure compare_session(TxnId t3) const;
  [[nodiscard]] TxnId latest_writer_in_session(KeyId x, SessionId s, TxnId limit) const;

  Failure transitive(Level level, Seen seen);
  Failure transitive(Level level, Seen seen, SessionId first, std::uint32_t width);
  Failure reads_within_clock(Level level, TxnId t3, SessionId first,
                             std::span<const std::uint32_t> clock) const;

  const OrderedHistory& o_;
  const History& h_;

  std::vector<Position> writer_positions_;  // of each key, ascending; init is not listed
  std::vector<std::uint64_t> first_writer_position_;
  std::vector<TxnId> session_predecessor_;  // that took effect; by transaction

  std::vector<Position> earliest_;      // by key: the oldest version that the reader read
  std::vector<TxnId> earliest_reader_;  // the reader that earliest_ is about
  std::vector<KeyId> read_keys_;        // the keys with an entry for the reader
};

Failure Axioms::fails(Level level, const Instance& at) const {
  return fmt::format(
      "{}: {} read {} from {}, although it saw {}, which wrote {} too and commits later",
      info(level).name, h_.txn_name(at.t3), h_.key_name(at.x), h_.txn_name(at.t1),
      h_.txn_name(at.t2), h_.key_name(at.x));
}

// --- what t3 sees is a prefix of co ---

void Axioms::index_writers_by_position() {
  first_writer_position_.assign(h_.key_count() + 1, 0);
  for (const TxnId t : o_.order)
    for (const KeyId x : h_.writes(t))
      ++first_writer_position_[x.index + 1];
  std::partial_sum(first_writer_position_.begin(), first_writer_position_.end(),
                   first_writer_position_.begin());
  writer_positions_.resize(first_writer_position_.back());
  std::vector<std::uint64_t> next(first_writer_position_.begin(),
                                  first_writer_position_.end() - 1);
  for (const TxnId t : o_.order)
    for (const KeyId x : h_.writes(t))
      writer_positions_[next[x.index]++] = position(t);
}

std::span<const Position> Axioms::writer_positions(KeyId x) const {
  return std::span(writer_positions_)
      .subspan(first_writer_position_[x.index],
               first_writer_position_[x.index + 1] - first_writer_position_[x.index]);
}

void Axioms::index_session_predecessors() {
  session_predecessor_.assign(h_.txn_count(), init);
  for (SessionId s{0}; s.index < h_.session_count(); ++s.index) {
    TxnId last = init;
    for (TxnId t = h_.first_txn(s); t < h_.end_txn(s); ++t.index) {
      session_predecessor_[t.index] = last;
      if (o_.took_effect(t)) last = t;
    }
  }
}

// The latest t4 with (so | wr)(t4, t3).
Position Axioms::snapshot(TxnId t3) const {
  Position last = position(session_predecessor_[t3.index]);
  for (std::size_t i = 0; i < reads(t3).size(); ++i)
    last = std::max(last, position(writer(t3, i)));
  return last;
}

// phi(t2, t3) = t2 is at most at position `last` of co.
Failure Axioms::reads_up_to(Level level, TxnId t3, Position last) const {
  for (std::size_t i = 0; i < reads(t3).size(); ++i) {
    const KeyId x = reads(t3)[i].key;
    const auto writers = writer_positions(x);
    const auto after = std::upper_bound(writers.begin(), writers.end(), last);
    if (after == writers.begin()) continue;
    const Position t2 = *std::prev(after);
    const TxnId t1 = writer(t3, i);
    if (t2 > position(t1)) return fails(level, {t1, o_.order[t2], t3, x});
  }
  return std::nullopt;
}

// Axiom Serializability: phi(t2, t3) = co(t2, t3).
Failure Axioms::serializability() {
  index_writers_by_position();
  for (Position p = 1; p < o_.order.size(); ++p)
    if (auto failure = reads_up_to(Level::SER, o_.order[p], p - 1)) return failure;
  return std::nullopt;
}

// Axiom Prefix: phi(t2, t3) = (co* ; (so | wr))(t2, t3), the transactions up to the latest
// one that is so- or wr-before t3.
Failure Axioms::prefix() {
  index_writers_by_position();
  index_session_predecessors();
  for (const TxnId t3 : o_.order)
    if (auto failure = reads_up_to(Level::PC, t3, snapshot(t3))) return failure;
  return std::nullopt;
}

// Axioms Prefix and Conflict.  Conflict: phi(t2, t3) = (co* ; [W[y]] ; co ; [W[y]])(t2,
// t3), the transactions up to the latest one before t3 that writes a key that t3 writes.
Failure Axioms::prefix_and_conflict() {
  index_writers_by_position();
  index_session_predecessors();
  std::vector<Position> last_writer(h_.key_count(), 0);
  for (const TxnId t3 : o_.order) {
    Position last = snapshot(t3);
    for (const KeyId y : h_.writes(t3)) {
      last = std::max(last, last_writer[y.index]);
      last_writer[y.index] = position(t3);
    }
    if (auto failure = reads_up_to(Level::SI, t3, last)) return failure;
  }
  return std::nullopt;
}

// --- what t3 sees are its direct predecessors ---

void Axioms::note_read_key(TxnId t3, KeyId x, Position t1) {
  if (earliest_reader_.empty()) {
    earliest_reader_.assign(h_.key_count(), TxnId::none());
    earliest_.assign(h_.key_count(), 0);
  }
  if (earliest_reader_[x.index] == t3) {
    earliest_[x.index] = std::min(earliest_[x.index], t1);
    return;
  }
  earliest_reader_[x.index] = t3;
  earliest_[x.index] = t1;
  read_keys_.push_back(x);
}

// t3 sees t2.  Of the keys noted, t3 must not have read a version older than t2's.
Failure Axioms::compare_writes(Level level, TxnId t2, TxnId t3) {
  if (t2 == init) return std::nullopt;
  const auto is_older = [&](KeyId x) {
    return earliest_reader_[x.index] == t3 && earliest_[x.index] < position(t2);
  };
  const auto writes = h_.writes(t2);
  std::optional<KeyId> found;
  if (writes.size() <= read_keys_.size()) {
    const auto x = std::find_if(writes.begin(), writes.end(), is_older);
    if (x != writes.end()) found = *x;
  } else {
    const auto x = std::find_if(read_keys_.begin(), read_keys_.end(), [&](KeyId y) {
      return is_older(y) && h_.is_writer(t2, y);
    });
    if (x != read_keys_.end()) found = *x;
  }
  if (!found) return std::nullopt;
  return fails(level, {o_.order[earliest_[found->index]], t2, t3, *found});
}

// Axiom Read Committed: phi(t2, r) = t2 rf ; po r, where r is the event by which t3 reads x
// from t1.  Backwards, so that the keys noted are those of later reads; of several reads
// from one t2 the first has the most later reads, so it alone is compared.
Failure Axioms::read_committed() {
  std::vector<TxnId> seen_by(h_.txn_count(), TxnId::none());
  std::vector<bool> is_first;
  for (const TxnId t3 : o_.order) {
    const auto events = reads(t3);
    is_first.assign(events.size(), false);
    for (std::size_t i = 0; i < events.size(); ++i) {
      TxnId& last_reader = seen_by[writer(t3, i).index];
      is_first[i] = last_reader != t3;
      last_reader = t3;
    }
    read_keys_.clear();
    for (std::size_t i = events.size(); i-- > 0;) {
      if (is_first[i] && !read_keys_.empty())
        if (auto failure = compare_writes(Level::RC, writer(t3, i), t3)) return failure;
      note_read_key(t3, events[i].key, position(writer(t3, i)));
    }
  }
  return std::nullopt;
}

// The latest transaction of s that took effect, wrote x, and is `limit` or so-before it;
// init if there is none.
TxnId Axioms::latest_writer_in_session(KeyId x, SessionId s, TxnId limit) const {
  const auto writers = h_.writers(x);
  auto after = std::upper_bound(writers.begin(), writers.end(), limit);
  while (after != writers.begin() && *std::prev(after) >= h_.first_txn(s)) {
    --after;
    if (o_.took_effect(*after)) return *after;
  }
  return init;
}

Failure Axioms::compare_session(TxnId t3) const {
  for (std::size_t i = 0; i < reads(t3).size(); ++i) {
    const KeyId x = reads(t3)[i].key;
    const TxnId t1 = writer(t3, i);
    const TxnId t2 =
        latest_writer_in_session(x, h_.session(t3), session_predecessor_[t3.index]);
    if (position(t2) > position(t1)) return fails(Level::RA, {t1, t2, t3, x});
  }
  return std::nullopt;
}

// Axiom Read Atomic: phi(t2, t3) = (so | wr)(t2, t3).
Failure Axioms::read_atomic() {
  index_session_predecessors();
  std::vector<TxnId> seen_by(h_.txn_count(), TxnId::none());
  for (const TxnId t3 : o_.order) {
    if (t3 == init) continue;
    if (auto failure = compare_session(t3)) return failure;
    read_keys_.clear();
    for (std::size_t i = 0; i < reads(t3).size(); ++i)
      note_read_key(t3, reads(t3)[i].key, position(writer(t3, i)));
    for (std::size_t i = 0; i < reads(t3).size(); ++i) {
      const TxnId t2 = writer(t3, i);
      if (std::exchange(seen_by[t2.index], t3) == t3) continue;
      if (auto failure = compare_writes(Level::RA, t2, t3)) return failure;
    }
  }
  return std::nullopt;
}

// --- what t3 sees is transitive ---

// Axiom Causal Consistency: phi(t2, t3) = (so | wr)+(t2, t3).
Failure Axioms::causal() {
  return transitive(Level::CC, Seen::SoWr);
}

// Axiom EXT: phi(t2, t3) = vis(t2, t3), with the least vis = (so | wr | ww)+.
Failure Axioms::parallel_snapshot() {
  return transitive(Level::PSI, Seen::SoWrWw);
}

Failure Axioms::transitive(Level level, Seen seen) {
  index_writers_by_position();
  index_session_predecessors();
  const std::uint64_t row = o_.order.size() * sizeof(std::uint32_t);
  const auto width_max = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(clock_bytes_max / row, 1, h_.session_count() + 1));
  for (SessionId first{0}; first.index < h_.session_count(); first.index += width_max) {
    const std::uint32_t width = std::min(width_max, h_.session_count() - first.index);
    if (auto failure = transitive(level, seen, first, width)) return failure;
  }
  return std::nullopt;
}

// The clock of t has, for each session of the block, the id of the last transaction that t
// sees; 0 if none.  A clock joins those of the direct predecessors, and these themselves.
// Of the earlier writers of a key the last has seen all others, so it alone is joined.
Failure Axioms::transitive(Level level, Seen seen, SessionId first, std::uint32_t width) {
  std::vector<std::uint32_t> clocks(o_.order.size() * width, 0);
  std::vector<Position> last_writer(h_.key_count(), 0);
  const auto clock_at = [&](Position p) {
    return std::span(clocks).subspan(std::size_t{p} * width, width);
  };
  for (Position p = 1; p < o_.order.size(); ++p) {
    const TxnId t3 = o_.order[p];
    const auto clock = clock_at(p);
    const auto join = [&](Position earlier) {
      if (earlier == 0) return;
      const auto other = clock_at(earlier);
      for (std::uint32_t s = 0; s < width; ++s)
        clock[s] = std::max(clock[s], other[s]);
      const TxnId t = o_.order[earlier];
      const std::uint32_t own = h_.session(t).index - first.index;
      if (own < width) clock[own] = std::max(clock[own], t.index);
    };
    join(position(session_predecessor_[t3.index]));
    for (std::size_t i = 0; i < reads(t3).size(); ++i)
      join(position(writer(t3, i)));
    if (seen == Seen::SoWrWw)
      for (const KeyId y : h_.writes(t3))
        join(std::exchange(last_writer[y.index], p));
    if (auto failure = reads_within_clock(level, t3, first, clock)) return failure;
  }
  return std::nullopt;
}

// Tries either all writers between t1 and t3 in co, or the last writer that t3 sees of each
// session, whichever are fewer.
Failure Axioms::reads_within_clock(Level level, TxnId t3, SessionId first,
                                   std::span<const std::uint32_t> clock) const {
  for (std::size_t i = 0; i < reads(t3).size(); ++i) {
    const KeyId x = reads(t3)[i].key;
    const TxnId t1 = writer(t3, i);
    const auto writers = writer_positions(x);
    auto between = std::upper_bound(writers.begin(), writers.end(), position(t1));
    const auto end = std::lower_bound(between, writers.end(), position(t3));
    if (static_cast<std::size_t>(end - between) <= clock.size()) {
      for (; between != end; ++between) {
        const TxnId t2 = o_.order[*between];
        const std::uint32_t s = h_.session(t2).index - first.index;
        if (s < clock.size() && t2.index <= clock[s]) return fails(level, {t1, t2, t3, x});
      }
      continue;
    }
    for (std::uint32_t s = 0; s < clock.size(); ++s) {
      if (clock[s] == 0) continue;
      const TxnId t2 = latest_writer_in_session(x, {first.index + s}, {clock[s]});
      if (position(t2) > position(t1)) return fails(level, {t1, t2, t3, x});
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> failing_axiom(const OrderedHistory& ordered, Level level) {
  Axioms axioms(ordered);
  switch (level) {
    case Level::RC:
      return axioms.read_committed();
    case Level::RA:
      return axioms.read_atomic();
    case Level::CC:
      return axioms.causal();
    case Level::PC:
      return axioms.prefix();
    case Level::PSI:
      return axioms.parallel_snapshot();
    case Level::SI:
      return axioms.prefix_and_conflict();
    case Level::SER:
      return axioms.serializability();
  }
  return "unknown level";
}

}  // namespace isomer::check
