// SPDX-License-Identifier: MIT
// Exhaustive search for a commit order (an arbitration order, for PSI).
//
// For each way to answer the open questions (who wrote what an ambiguous read returned, and
// hence which transactions of unknown outcome took effect) we place one transaction after
// another, in every order.  Each axiom has the form
//
//   forall x, t1 != t2, t3:  wr[x](t1, t3) and t2 writes x and phi(t2, t3)  =>  co(t2, t1)
//
// so a prefix of the order is dead as soon as t2 was placed after t1 and phi(t2, t3) holds,
// whatever follows.  What a prefix lets happen later does not depend on all of its order,
// but only on
//
//   RC, RA, CC:   the set of placed transactions, since phi is known beforehand;
//   PC, SI, SER:  the set, and which transactions not yet placed are stale: t3 is stale if
//                 a version that it reads is overwritten;
//   PSI:          the set, and vis among it.
//
// Prefixes that failed are remembered by that.  At most 2^n states per set of stale
// transactions, so a dozen transactions are quickly done.  Biswas & Enea (OOPSLA'19) search
// prefixes in the same way, for a bounded number of sessions.
//
// If the whole history has an allowed order, then so has its restriction: the order without
// the transactions left out satisfies every axiom instance that is left.  So a restriction
// that no order satisfies proves a violation.
#include "check/exhaustive.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace isomer::check {
namespace {

using history::History;
using history::init;
using history::KeyId;
using history::Status;
using history::TxnId;

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <class T>
std::optional<std::uint32_t> number_of(const std::vector<T>& sorted, T value) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
  if (at == sorted.end() || *at != value) return std::nullopt;
  return static_cast<std::uint32_t>(at - sorted.begin());
}

struct Cut {
  const History& history;
  std::vector<TxnId> kept;  // by id
  std::vector<KeyId> keys;  // by id

  // The numbers of the transactions that may have written what read r returned; empty if
  // one of them is left out, or if nothing explains the read.
  [[nodiscard]] std::vector<std::uint32_t> writers(std::uint32_t r) const;
  [[nodiscard]] SmallHistory::Txn txn(TxnId t, UnknownOutcomes unknown) const;
};

std::vector<std::uint32_t> Cut::writers(std::uint32_t r) const {
  std::vector<TxnId> candidates;
  const TxnId writer = history.all_reads()[r].writer;
  if (!writer.is_none()) {
    candidates.push_back(writer);
  } else {
    const auto ambiguous = history.ambiguous_reads();
    const auto at =
        std::lower_bound(ambiguous.begin(), ambiguous.end(), history::ReadId{r});
    if (at == ambiguous.end() || *at != history::ReadId{r}) return {};
    const auto found = history.candidates(static_cast<std::size_t>(at - ambiguous.begin()));
    candidates.assign(found.begin(), found.end());
  }
  std::vector<std::uint32_t> numbers;
  for (const TxnId t : candidates) {
    const auto number = number_of(kept, t);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

SmallHistory::Txn Cut::txn(TxnId t, UnknownOutcomes unknown) const {
  SmallHistory::Txn small;
  small.session = history.session(t).index;
  small.took_effect = unknown == UnknownOutcomes::SeenByAnybody
                          ? history.took_effect(t)
                          : history.status(t) == Status::Committed;
  for (const KeyId x : history.writes(t))
    small.writes.push_back(*number_of(keys, x));
  if (history.status(t) != Status::Committed) return small;
  const std::uint32_t first = history.read_offsets()[t.index];
  const auto reads = history.reads(t);
  for (std::uint32_t i = 0; i < reads.size(); ++i) {
    std::vector<std::uint32_t> from = writers(first + i);
    if (!from.empty())
      small.reads.push_back({*number_of(keys, reads[i].key), std::move(from)});
  }
  return small;
}

using Set = std::uint32_t;  // bit t: transaction t

constexpr Set only(std::uint32_t t) {
  return Set{1} << t;
}

constexpr bool has(Set set, std::uint32_t t) {
  return (set & only(t)) != 0;
}

// A small history with every question answered.
struct Resolved {
  struct Read {
    std::uint32_t key;
    std::uint32_t writer;
  };

  explicit Resolved(const SmallHistory& history, std::vector<std::vector<Read>> choice);

  void close_happens_before();
  void require_version_orders(const SmallHistory& history);
  void require(std::uint32_t reader, Read read, Set seen);
  void require_axiom(Level level);

  std::uint32_t count;
  std::vector<std::vector<Read>> reads;  // by reader
  Set effective = 1;                     // the transactions to be placed
  std::vector<Set> writers;              // by key; everybody's includes the initial one
  std::vector<Set> direct;               // so | wr, by the later one
  std::vector<Set> causal;               // (so | wr)+, by the later one
  std::vector<Set> conflicting;          // the other writers of a key of t
  std::vector<Set> before;               // must be placed before t, whatever the order
};

Resolved::Resolved(const SmallHistory& history, std::vector<std::vector<Read>> choice)
    : count(static_cast<std::uint32_t>(history.txns.size())),
      reads(std::move(choice)),
      writers(history.version_orders.size(), 1),
      direct(count),
      conflicting(count) {
  for (std::uint32_t t = 0; t < count; ++t) {
    if (history.txns[t].took_effect) effective |= only(t);
    for (const Read& read : reads[t])
      effective |= only(read.writer);
  }
  for (std::uint32_t t = 1; t < count; ++t)
    if (has(effective, t))
      for (const std::uint32_t x : history.txns[t].writes)
        writers[x] |= only(t);
  for (std::uint32_t t = 1; t < count; ++t) {
    direct[t] = 1;
    for (std::uint32_t earlier = 1; earlier < t; ++earlier)
      if (history.txns[earlier].session == history.txns[t].session)
        direct[t] |= only(earlier) & effective;
    for (const Read& read : reads[t])
      direct[t] |= only(read.writer);
    for (const std::uint32_t x : history.txns[t].writes)
      conflicting[t] |= writers[x] & ~only(t);
  }
  close_happens_before();
  before = direct;
  require_version_orders(history);
}

void Resolved::close_happens_before() {
  causal = direct;
  for (std::uint32_t middle = 0; middle < count; ++middle)
    for (std::uint32_t t = 0; t < count; ++t)
      if (has(causal[t], middle)) causal[t] |= causal[middle];
}

void Resolved::require_version_orders(const SmallHistory& history) {
  for (std::size_t x = 0; x < history.version_orders.size(); ++x) {
    Set older = 0;
    std::uint32_t last = 0;
    for (const std::uint32_t t : history.version_orders[x]) {
      if (!has(effective, t) || t == last) continue;
      before[t] |= older;  // with t itself, if it stands twice: then no order will do
      older |= only(t);
      last = t;
    }
    if (older == 0) continue;
    for (std::uint32_t t = 1; t < count; ++t)
      if (has(writers[x], t) && !has(older, t)) before[t] |= older;
  }
}

// co(t2, t1) for every t2 that writes x and that the reader has seen.
void Resolved::require(std::uint32_t reader, Read read, Set seen) {
  ISOMER_ASSERT(reader < count);
  before[read.writer] |= writers[read.key] & seen & ~only(read.writer);
}

// The axioms whose phi does not depend on co:
//   RC   phi(t2, r) = t2 rf ; po r    (r the event by which t3 reads x from t1)
//   RA   phi(t2, t3) = (so | wr)(t2, t3)
//   CC   phi(t2, t3) = (so | wr)+(t2, t3)
void Resolved::require_axiom(Level level) {
  for (std::uint32_t t3 = 1; t3 < count; ++t3) {
    Set read_before = 0;
    for (const Read& read : reads[t3]) {
      if (level == Level::RC) require(t3, read, read_before);
      if (level == Level::RA) require(t3, read, direct[t3]);
      if (level == Level::CC) require(t3, read, causal[t3]);
      read_before |= only(read.writer);
    }
  }
}

class Search {
 public:
  Search(const Resolved& history, Level level, std::uint64_t& steps_left)
      : h_(history), level_(level), steps_left_(steps_left) {}

  // Is there an order?  May be wrong ("no") once steps_left is 0.
  bool run() { return h_.before[0] == 0 && extend(start()); }

 private:
  struct Prefix {
    Set placed = 0;
    Set stale = 0;
    std::vector<Set> visible;  // PSI: vis, by the later one

    friend auto operator<=>(const Prefix&, const Prefix&) = default;
  };

  [[nodiscard]] Prefix start() const {
    Prefix prefix{1, 0, {}};
    if (level_ == Level::PSI) prefix.visible.assign(h_.count, 0);
    return prefix;
  }

  bool extend(const Prefix& prefix) {
    if (prefix.placed == h_.effective) return true;
    if (failed_.contains(prefix)) return false;
    for (std::uint32_t t = 1; t < h_.count; ++t) {
      if (!has(h_.effective & ~prefix.placed, t)) continue;
      if ((h_.before[t] & ~prefix.placed) != 0) continue;
      if (steps_left_ == 0) return false;
      --steps_left_;
      Prefix longer = prefix;
      longer.placed |= only(t);
      if (allows(prefix, longer, t) && extend(longer)) return true;
    }
    failed_.insert(prefix);
    return false;
  }

  bool allows(const Prefix& prefix, Prefix& longer, std::uint32_t t) const {
    switch (level_) {
      case Level::RC:
      case Level::RA:
      case Level::CC:
        return true;  // all in Resolved::before
      case Level::PC:
      case Level::SI:
      case Level::SER:
        return keeps_reads(prefix, longer, t);
      case Level::PSI:
        return sees_its_reads(longer, t);
    }
    return false;
  }

  // t has just been placed.  Whoever reads an older version of what t wrote is stale from
  // now on, and may not come after anything that would show it the newer version:
  //   PC   phi = co* ; (so | wr)
  //   SI   phi = co* ; (so | wr)  or  co* ; [W[y]] ; co ; [W[y]]
  //   SER  phi = co
  bool keeps_reads(const Prefix& prefix, Prefix& longer, std::uint32_t t) const {
    longer.stale &= ~only(t);
    for (std::uint32_t t3 = 1; t3 < h_.count; ++t3) {
      if (!has(h_.effective & ~longer.placed, t3)) continue;
      for (const Resolved::Read& read : h_.reads[t3])
        if (has(prefix.placed, read.writer) && has(h_.writers[read.key], t))
          longer.stale |= only(t3);
      if (!has(longer.stale, t3)) continue;
      if (level_ == Level::SER || has(h_.direct[t3], t)) return false;
      if (level_ == Level::SI && has(h_.conflicting[t3], t)) return false;
    }
    return true;
  }

  // vis is the least one (see certify/transitive.cpp), and so far everything in it is
  // placed.
  //   EXT  phi(t2, t3) = vis(t2, t3)
  // Of two writers of one key, the one that sees the other is the later one in ar.
  bool sees_its_reads(Prefix& longer, std::uint32_t t) const {
    Set seen = 0;
    const Set direct = (h_.direct[t] | h_.conflicting[t]) & longer.placed & ~only(t);
    for (std::uint32_t t2 = 0; t2 < h_.count; ++t2)
      if (has(direct, t2)) seen |= longer.visible[t2] | only(t2);
    longer.visible[t] = seen;
    return std::all_of(h_.reads[t].begin(), h_.reads[t].end(), [&](const auto& read) {
      const Set others = h_.writers[read.key] & seen & ~only(read.writer);
      return (others & ~longer.visible[read.writer]) == 0;
    });
  }

  const Resolved& h_;
  Level level_;
  std::uint64_t& steps_left_;
  std::set<Prefix> failed_;
};

// Runs through all choices of writers like an odometer.
bool next(std::vector<std::size_t>& digits, const std::vector<std::size_t>& bases) {
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (++digits[i] < bases[i]) return true;
    digits[i] = 0;
  }
  return false;
}

std::vector<std::vector<Resolved::Read>> chosen(const SmallHistory& history,
                                                const std::vector<std::size_t>& digits) {
  std::vector<std::vector<Resolved::Read>> reads(history.txns.size());
  std::size_t digit = 0;
  for (std::size_t t = 0; t < history.txns.size(); ++t)
    for (const SmallHistory::Read& read : history.txns[t].reads)
      reads[t].push_back({read.key, read.writers[digits[digit++]]});
  return reads;
}

}  // namespace

SmallHistory restriction(const History& history, std::span<const TxnId> named,
                         UnknownOutcomes unknown) {
  Cut cut{history, {named.begin(), named.end()}, {}};
  cut.kept.push_back(init);
  sort_unique(cut.kept);
  for (const TxnId t : cut.kept) {
    cut.keys.insert(cut.keys.end(), history.writes(t).begin(), history.writes(t).end());
    for (const history::Read& read : history.reads(t))
      cut.keys.push_back(read.key);
  }
  sort_unique(cut.keys);
  SmallHistory small;
  for (const TxnId t : cut.kept)
    small.txns.push_back(cut.txn(t, unknown));
  small.txns.front().took_effect = true;
  for (const KeyId x : cut.keys) {
    auto& order = small.version_orders.emplace_back();
    for (const TxnId t : history.version_order(x))
      if (const auto number = number_of(cut.kept, t)) order.push_back(*number);
  }
  return small;
}

std::optional<bool> exists_order(const SmallHistory& history, Level level,
                                 std::uint64_t steps_max) {
  ISOMER_ASSERT(history.txns.size() <= exhaustive_txns_max);
  std::vector<std::size_t> bases;
  for (const SmallHistory::Txn& txn : history.txns)
    for (const SmallHistory::Read& read : txn.reads)
      bases.push_back(read.writers.size());
  std::uint64_t steps_left = steps_max;
  std::vector<std::size_t> digits(bases.size());
  do {
    Resolved resolved(history, chosen(history, digits));
    resolved.require_axiom(level);
    if (Search(resolved, level, steps_left).run()) return true;
    if (steps_left == 0) return std::nullopt;
    --steps_left;
  } while (next(digits, bases));
  return false;
}

}  // namespace isomer::check
