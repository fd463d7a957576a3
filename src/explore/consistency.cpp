// SPDX-License-Identifier: MIT
// SER: commit the transactions one by one.  What has committed is a set S; a transaction
// may follow if its past is in S, and if nobody outside S still has to read, from somebody
// in S, a key that it writes.  Whether the rest can be done depends on S alone, so a set
// that failed is not tried again (Biswas & Enea, OOPSLA'19, section 4).
//
// PC and SI: the same with two steps for each transaction.  It begins, and reads as of
// then; later it commits.  Under SI, no two transactions that write the same key overlap.
//
// PSI: an order of the writers of each key is chosen, pair by pair; what a transaction sees
// is closed under session order, reads and these orders, and nobody may see a later version
// than the one it read.
//
// RC, RA, CC: as the history itself does it (ordered_history.h).
#include "explore/consistency.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::explore {

using check::Level;

template <std::size_t Words>
Consistency<Words>::Consistency(const std::vector<ProgramTxn>& program, Level level)
    : program_(program),
      level_(level),
      past_(program.size()),
      earlier_(program.size()),
      conflicts_(program.size()),
      overwritten_readers_(program.size() * program.size()) {}

template <std::size_t Words>
std::vector<Part> Consistency<Words>::whole(const History& history) {
  std::vector<Part> out;
  for (std::uint32_t position = 0; position < history.transactions().size(); ++position)
    out.push_back({position, history.read_end(position), true});
  return out;
}

template <std::size_t Words>
std::vector<Part> Consistency<Words>::committed(const History& history) {
  std::vector<Part> out = whole(history);
  std::erase_if(out, [&](const Part& part) {
    return history.transactions()[part.position].node->kind != Node::Kind::Commits;
  });
  return out;
}

template <std::size_t Words>
bool Consistency<Words>::allows(const History& history) {
  return allows(history, whole(history));
}

template <std::size_t Words>
bool Consistency<Words>::allows(const History& history, std::span<const Part> parts) {
  return decide(history, parts, {});
}

template <std::size_t Words>
std::optional<std::vector<TxnNumber>> Consistency<Words>::commit_order(
    const History& history, std::span<const Precedence> precedences) {
  if (!decide(history, whole(history), precedences)) return std::nullopt;
  return found_;
}

template <std::size_t Words>
bool Consistency<Words>::decide(const History& history, std::span<const Part> parts,
                                std::span<const Precedence> precedences) {
  found_.clear();
  failed_.clear();
  if (level_ == Level::RC || level_ == Level::RA || level_ == Level::CC)
    return decide_weak(history, parts, precedences);
  load(history, parts, precedences);
  bool is_allowed = false;
  if (level_ == Level::PSI) {
    is_allowed = true;
    for (const Precedence& precedence : precedences)
      is_allowed &= base_order_.add(precedence.first, precedence.second);
    is_allowed = is_allowed && arbitrate(base_order_);
  } else if (level_ == Level::SER) {
    is_allowed = serialize({});
    std::ranges::reverse(found_);
  } else {
    is_allowed = schedule({});
    std::ranges::reverse(found_);
  }
  return is_allowed;
}

template <std::size_t Words>
bool Consistency<Words>::decide_weak(const History& history, std::span<const Part> parts,
                                     std::span<const Precedence> precedences) {
  const Base level = level_ == Level::RC   ? Base::RC
                     : level_ == Level::RA ? Base::RA
                                           : Base::CC;
  History rebuilt(program_, level);
  bool is_allowed = true;
  all_ = {};
  for (const Part& part : parts) {
    const OrderedTxn& txn = history.transactions()[part.position];
    is_allowed &= rebuilt.add_from(history, part.position, part.read_end, txn.node);
    all_.insert(txn.number);
  }
  Order<Words> order = rebuilt.commits();
  for (const Precedence& precedence : precedences)
    is_allowed &= order.add(precedence.first, precedence.second);
  if (is_allowed) take_order(order);
  return is_allowed;
}

// Those with fewer before them first.
template <std::size_t Words>
void Consistency<Words>::take_order(const Order<Words>& order) {
  std::vector<std::pair<std::size_t, TxnNumber>> places;
  all_.for_each([&](TxnNumber txn) {
    std::size_t count = 0;
    order.before(txn).for_each([&](TxnNumber) { ++count; });
    places.emplace_back(count, txn);
  });
  std::ranges::sort(places);
  for (const auto& [count, txn] : places)
    found_.push_back(txn);
}

template <std::size_t Words>
void Consistency<Words>::load(const History& history, std::span<const Part> parts,
                              std::span<const Precedence> precedences) {
  const std::size_t size = program_.size();
  all_ = {};
  read_only_ = {};
  readings_.clear();
  std::ranges::fill(overwritten_readers_, Set{});
  for (const Part& part : parts)
    all_.insert(history.transactions()[part.position].number);
  if (level_ == Level::PSI) base_order_.reset(size);
  for (const Part& part : parts) {
    const OrderedTxn& txn = history.transactions()[part.position];
    Set past = past_in_session(txn.number);
    for (std::uint32_t i = txn.first_read; i < part.read_end; ++i) {
      const ReadEvent& read = history.reads()[i];
      past |= past_[read.writer];
      past.insert(read.writer);
      Reading reading{.reader = txn.number, .writer = read.writer, .others = {}};
      for (const Part& other : parts) {
        const OrderedTxn& writer = history.transactions()[other.position];
        if (!other.is_whole || writer.number == txn.number ||
            writer.number == read.writer || !history.writes(writer, read.key()))
          continue;
        reading.others.insert(writer.number);
        overwritten_readers_[writer.number * size + read.writer].insert(txn.number);
      }
      if (!reading.others.is_empty()) readings_.push_back(reading);
    }
    past.erase(initial_txn);
    past_[txn.number] = past;
    earlier_[txn.number] = {};
    if (!part.is_whole || txn.node->kind != Node::Kind::Commits || txn.node->writes.empty())
      read_only_.insert(txn.number);
    if (level_ == Level::PSI) base_order_.put_last(txn.number, past);
  }
  for (const Precedence& precedence : precedences)
    earlier_[precedence.second].insert(precedence.first);
  if (level_ == Level::SI || level_ == Level::PSI) load_conflicts(history, parts);
}

// Transactions that are left out bind nobody.
template <std::size_t Words>
auto Consistency<Words>::past_in_session(TxnNumber txn) const -> Set {
  TxnNumber previous = program_[txn].previous;
  while (previous != initial_txn && !all_.contains(previous))
    previous = program_[previous].previous;
  Set out = past_[previous];
  out.insert(previous);
  return out;
}

template <std::size_t Words>
void Consistency<Words>::load_conflicts(const History& history,
                                        std::span<const Part> parts) {
  for (const Part& part : parts)
    conflicts_[history.transactions()[part.position].number] = {};
  for (const Part& part : parts)
    for (const Part& other : parts) {
      const OrderedTxn& a = history.transactions()[part.position];
      const OrderedTxn& b = history.transactions()[other.position];
      if (a.number >= b.number || read_only_.contains(a.number) ||
          read_only_.contains(b.number) || (a.node->key_mask & b.node->key_mask) == 0)
        continue;
      if (!std::ranges::any_of(a.node->writes, [&](const Write& write) {
            return b.node->writes_key(write.key);
          }))
        continue;
      conflicts_[a.number].insert(b.number);
      conflicts_[b.number].insert(a.number);
    }
}

// Have those in `readers` read all that the transaction would overwrite?
template <std::size_t Words>
bool Consistency<Words>::may_commit(TxnNumber txn, const Set& readers,
                                    const Set& committed) const {
  const Set* overwritten = &overwritten_readers_[txn * program_.size()];
  if (!earlier_[txn].is_subset_of(committed)) return false;
  if (!overwritten[initial_txn].is_subset_of(readers)) return false;
  bool out = true;
  committed.for_each(
      [&](TxnNumber writer) { out = out && overwritten[writer].is_subset_of(readers); });
  return out;
}

template <std::size_t Words>
bool Consistency<Words>::serialize(Set committed) {
  if (committed == all_) return true;
  if (failed_.contains({committed, {}})) return false;
  const Set rest = all_ - committed;
  Set able;
  std::optional<TxnNumber> free;  // reads only: it can do no harm
  rest.for_each([&](TxnNumber txn) {
    if (!past_[txn].is_subset_of(committed)) return;
    able.insert(txn);
    if (!free && read_only_.contains(txn)) free = txn;
  });
  if (free) able = {};
  if (free) able.insert(*free);
  bool is_done = false;
  able.for_each([&](TxnNumber txn) {
    if (is_done || !may_commit(txn, committed, committed)) return;
    Set next = committed;
    next.insert(txn);
    is_done = serialize(next);
    if (is_done) found_.push_back(txn);
  });
  if (!is_done) failed_.insert({committed, {}});
  return is_done;
}

template <std::size_t Words>
bool Consistency<Words>::schedule(Started at) {
  if (at.committed == all_) return true;
  if (failed_.contains(at)) return false;
  const Set active = at.started - at.committed;
  bool is_done = false;
  bool is_tried = false;
  const auto try_next = [&](TxnNumber txn, bool commits) {
    Started next = at;
    next.started.insert(txn);
    if (commits) next.committed.insert(txn);
    is_done = schedule(next);
    if (is_done && commits) found_.push_back(txn);
    is_tried = true;
  };
  const Set waiting = all_ - at.started;
  // What can do no harm is done at once, and nothing else is tried: a transaction that only
  // reads, and under PC any that can begin.
  waiting.for_each([&](TxnNumber txn) {
    if (is_tried || !past_[txn].is_subset_of(at.committed)) return;
    if (read_only_.contains(txn))
      try_next(txn, true);
    else if (level_ == Level::PC)
      try_next(txn, false);
  });
  if (!is_tried) {
    active.for_each([&](TxnNumber txn) {
      if (!is_done && may_commit(txn, at.started, at.committed)) try_next(txn, true);
    });
    waiting.for_each([&](TxnNumber txn) {
      if (!is_done && past_[txn].is_subset_of(at.committed) &&
          (conflicts_[txn] & active).is_empty())
        try_next(txn, false);
    });
  }
  if (!is_done) failed_.insert(at);
  return is_done;
}

// What follows from what everybody sees.  False if somebody sees too much.
template <std::size_t Words>
bool Consistency<Words>::propagate(Order<Words>& visible) const {
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (const Reading& reading : readings_) {
      const Set newer = reading.others & visible.before(reading.reader);
      if (newer.is_empty()) continue;
      if (reading.writer == initial_txn) return false;
      const Set fresh = newer - visible.before(reading.writer);
      if (fresh.is_empty()) continue;
      bool is_possible = true;
      fresh.for_each([&](TxnNumber other) {
        is_possible = is_possible && visible.add(other, reading.writer);
      });
      if (!is_possible) return false;
      has_changed = true;
    }
  }
  return true;
}

template <std::size_t Words>
bool Consistency<Words>::arbitrate(Order<Words> visible) {
  if (!propagate(visible)) return false;
  std::optional<Precedence> open;
  all_.for_each([&](TxnNumber a) {
    if (open) return;
    conflicts_[a].for_each([&](TxnNumber b) {
      if (!open && a < b && !visible.before(a).contains(b) &&
          !visible.before(b).contains(a))
        open = {a, b};
    });
  });
  if (!open) {
    take_order(visible);
    return true;
  }
  Order<Words> other = visible;
  visible.add(open->first, open->second);
  if (arbitrate(std::move(visible))) return true;
  other.add(open->second, open->first);
  return arbitrate(std::move(other));
}

template class Consistency<1>;
template class Consistency<4>;

}  // namespace isomer::explore
