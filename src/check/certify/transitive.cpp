// SPDX-License-Identifier: MIT
// CC and PSI: phi is transitive and contains so, so a vector clock says what t3 sees: for
// each session the last transaction.
//
// PSI has two witnesses, ar and vis; we are given only ar.  The least vis is enough.  Let
// vis be any that satisfies the level with ar.  NoConflict and vis in ar leave it no choice
// but to contain ww = { (t, u) | ar(t, u), both write some x }; it contains so and wr, and
// it is transitive.  So it contains vis0 = (so | wr | ww)+.  And vis0 satisfies the level
// as well: it is in ar since so, wr and ww are and ar is transitive; it is transitive;
// NoConflict holds by ww; and EXT asks less of it, since vis stands only on the left of the
// axiom.
//
// All clocks together have transactions * sessions entries.  If that is too much, sessions
// are done block by block, each with its part of the clocks.
#include <algorithm>
#include <utility>

#include "check/certify/evidence.h"

namespace isomer::check {
namespace {

using history::init;
using history::KeyId;
using history::SessionId;
using history::TxnId;

constexpr std::uint64_t clock_bytes_max = std::uint64_t{2} << 30;

// By session of a block, the id of the last transaction seen; 0: none.
using Clock = std::span<std::uint32_t>;

enum class Seen : std::uint8_t { SoWr, SoWrWw };

class Clocks {
 public:
  Clocks(const SettledHistory& ordered, Level level, Seen seen)
      : o_(ordered),
        level_(level),
        seen_(seen),
        writers_(ordered),
        session_predecessors_(session_predecessors(ordered)) {}

  Failure failing_read();

 private:
  Failure failing_read_of_block();
  void advance(OrderIndex p);
  void join(Clock clock, OrderIndex earlier);
  [[nodiscard]] Failure failing_read(TxnId t3, Clock clock) const;

  Clock clock(OrderIndex p) {
    return Clock(clocks_).subspan(std::size_t{p} * width_, width_);
  }

  const SettledHistory& o_;
  Level level_;
  Seen seen_;
  WriterPositions writers_;
  std::vector<TxnId> session_predecessors_;
  SessionId first_{0};       // of the block
  std::uint32_t width_ = 0;  // sessions in the block
  std::vector<std::uint32_t> clocks_;
  std::vector<OrderIndex> last_writer_;  // by key, so far
};

Failure Clocks::failing_read() {
  const std::uint32_t sessions = o_.history.session_count();
  const std::uint64_t column = o_.order.size() * sizeof(std::uint32_t);
  const auto width_max = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(clock_bytes_max / column, 1, std::max(sessions, 1U)));
  for (first_ = {0}; first_.index < sessions; first_.index += width_max) {
    width_ = std::min(width_max, sessions - first_.index);
    if (auto failure = failing_read_of_block()) return failure;
  }
  return std::nullopt;
}

Failure Clocks::failing_read_of_block() {
  clocks_.assign(o_.order.size() * width_, 0);
  last_writer_.assign(o_.history.key_count(), 0);
  for (OrderIndex p = 1; p < o_.order.size(); ++p) {
    advance(p);
    if (auto failure = failing_read(o_.order[p], clock(p))) return failure;
  }
  return std::nullopt;
}

// A clock joins those of the direct predecessors.  Of the earlier writers of a key the last
// has seen all others, so it alone is joined.
void Clocks::advance(OrderIndex p) {
  const TxnId t = o_.order[p];
  join(clock(p), o_.position(session_predecessors_[t.index]));
  for (std::size_t i = 0; i < o_.reads(t).size(); ++i)
    join(clock(p), o_.position(o_.writer(t, i)));
  if (seen_ == Seen::SoWrWw)
    for (const KeyId y : o_.history.writes(t))
      join(clock(p), std::exchange(last_writer_[y.index], p));
}

void Clocks::join(Clock clock, OrderIndex earlier) {
  if (earlier == 0) return;
  const Clock other = this->clock(earlier);
  for (std::uint32_t s = 0; s < width_; ++s)
    clock[s] = std::max(clock[s], other[s]);
  const TxnId t = o_.order[earlier];
  const std::uint32_t own = o_.history.session(t).index - first_.index;
  if (own < width_) clock[own] = std::max(clock[own], t.index);
}

// Tries either all writers between t1 and t3 in co, or the last writer that t3 sees of each
// session, whichever are fewer.
Failure Clocks::failing_read(TxnId t3, Clock clock) const {
  for (std::size_t i = 0; i < o_.reads(t3).size(); ++i) {
    const KeyId x = o_.reads(t3)[i].key;
    const TxnId t1 = o_.writer(t3, i);
    const auto writers = writers_.of(x);
    auto between = std::upper_bound(writers.begin(), writers.end(), o_.position(t1));
    const auto end = std::lower_bound(between, writers.end(), o_.position(t3));
    if (static_cast<std::size_t>(end - between) <= clock.size()) {
      for (; between != end; ++between) {
        const TxnId t2 = o_.order[*between];
        const std::uint32_t s = o_.history.session(t2).index - first_.index;
        if (s < clock.size() && t2.index <= clock[s])
          return text(o_, level_, {t1, t2, t3, x});
      }
      continue;
    }
    for (std::uint32_t s = 0; s < clock.size(); ++s) {
      if (clock[s] == 0) continue;
      const TxnId t2 = latest_writer_in_session(o_, x, {first_.index + s}, {clock[s]});
      if (o_.position(t2) > o_.position(t1)) return text(o_, level_, {t1, t2, t3, x});
    }
  }
  return std::nullopt;
}

}  // namespace

// Axiom Causal Consistency: phi(t2, t3) = (so | wr)+(t2, t3).
Failure failing_causal(const SettledHistory& ordered) {
  return Clocks(ordered, Level::CC, Seen::SoWr).failing_read();
}

// Axiom EXT: phi(t2, t3) = vis(t2, t3), with the least vis = (so | wr | ww)+.
Failure failing_parallel_snapshot(const SettledHistory& ordered) {
  return Clocks(ordered, Level::PSI, Seen::SoWrWw).failing_read();
}

}  // namespace isomer::check
