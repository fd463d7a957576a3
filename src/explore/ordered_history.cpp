// SPDX-License-Identifier: MIT
// The axioms of RC, RA and CC, one read at a time.  All three say: if t3 reads x from t1,
// and another writer t2 of x is such-and-such before that read, then t2 commits before t1.
// They differ in what "before" means:
//
//   RC   t3 has read from t2 earlier
//   RA   t2 is before t3 in session order, or t3 reads from t2 at all
//   CC   t2 is in the causal past of t3
//
// The transaction that reads is the last one, and nobody has read from it.  So a new read
// can force something in two ways only: by what it reads (t1 is its writer), and, for RA
// and CC, because what t3 read earlier is now overwritten by somebody whom it sees (t2 is
// new).  A level allows a history if the commit order that is forced, together with session
// order and who-read-from-whom, has no cycle.
#include "explore/ordered_history.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::explore {

template <std::size_t Words>
OrderedHistory<Words>::OrderedHistory(const std::vector<ProgramTxn>& program, Base level)
    : program_(&program),
      level_(level),
      position_(program.size(), 0),
      past_(program.size()) {
  commits_.reset(program.size());
}

template <std::size_t Words>
auto OrderedHistory<Words>::session_past(TxnNumber txn) const -> Set {
  const TxnNumber previous = (*program_)[txn].previous;
  Set out = past_[previous];
  out.insert(previous);
  return out;
}

template <std::size_t Words>
void OrderedHistory<Words>::begin(TxnNumber txn, Node* start) {
  position_[txn] = static_cast<std::uint32_t>(order_.size());
  order_.push_back({.number = txn,
                    .first_read = static_cast<std::uint32_t>(reads_.size()),
                    .node = start});
  present_.insert(txn);
  sources_ = {};
  past_[txn] = session_past(txn);
  const TxnNumber previous = (*program_)[txn].previous;
  Set before = commits_.before(previous);
  before.insert(previous);
  commits_.put_last(txn, before);
}

template <std::size_t Words>
bool OrderedHistory<Words>::force(Order<Words>& commits, KeyNumber key,
                                  TxnNumber writer) const {
  if (level_ == Base::True) return true;
  const OrderedTxn& reader = order_.back();
  const TxnNumber previous = (*program_)[reader.number].previous;
  Set before = commits.before(writer);
  before.insert(writer);
  commits.put_last(reader.number, before);

  Set seen = sources_;
  Set newly_seen;
  if (level_ == Base::CC) {
    seen = past_[reader.number];
    newly_seen = past_[writer];
    newly_seen.insert(writer);
    newly_seen -= seen;
    seen |= newly_seen;
  } else if (level_ == Base::RA) {
    for (TxnNumber txn = previous; txn != initial_txn; txn = (*program_)[txn].previous)
      seen.insert(txn);
    if (!seen.contains(writer)) newly_seen.insert(writer);
    seen.insert(writer);
  }
  seen.erase(initial_txn);
  newly_seen.erase(initial_txn);

  bool is_allowed = true;
  seen.for_each([&](TxnNumber other) {
    if (is_allowed && other != writer && writes(other, key))
      is_allowed = commits.add(other, writer);
  });
  if (newly_seen.is_empty()) return is_allowed;
  for (std::uint32_t i = reader.first_read; is_allowed && i < reads_.size(); ++i)
    newly_seen.for_each([&](TxnNumber other) {
      if (is_allowed && other != reads_[i].writer && writes(other, reads_[i].key()))
        is_allowed = commits.add(other, reads_[i].writer);
    });
  return is_allowed;
}

template <std::size_t Words>
bool OrderedHistory<Words>::allows_read(TxnNumber writer, Order<Words>& scratch) const {
  if (level_ == Base::True) return true;
  scratch = commits_;
  return force(scratch, order_.back().node->key, writer);
}

template <std::size_t Words>
bool OrderedHistory<Words>::add_read(TxnNumber writer, Node* next) {
  OrderedTxn& reader = order_.back();
  const bool is_allowed = force(commits_, reader.node->key, writer);
  reads_.push_back({.at = reader.node, .writer = writer});
  reader.node = next;
  sources_.insert(writer);
  past_[reader.number] |= past_[writer];
  past_[reader.number].insert(writer);
  return is_allowed;
}

template <std::size_t Words>
bool OrderedHistory<Words>::add_from(const OrderedHistory& other, std::uint32_t position,
                                     std::uint32_t read_end, Node* node) {
  const OrderedTxn& txn = other.order_[position];
  bool is_allowed = true;
  const auto node_before = [&](std::uint32_t i) {
    return i < read_end ? other.reads_[i].at : node;
  };
  begin(txn.number, node_before(txn.first_read));
  for (std::uint32_t i = txn.first_read; i < read_end; ++i)
    is_allowed &= add_read(other.reads_[i].writer, node_before(i + 1));
  return is_allowed;
}

template <std::size_t Words>
ValueNumber OrderedHistory<Words>::value_of(const Runs& runs, TxnNumber writer,
                                            KeyNumber key) const {
  if (writer == initial_txn) return runs.initial_value(key);
  const Write* write = transaction(writer).node->find_write(key);
  ISOMER_ASSERT(write != nullptr);
  return write->value;
}

template <std::size_t Words>
void OrderedHistory<Words>::replay(Runs& runs) {
  for (std::uint32_t position = 0; position < order_.size(); ++position) {
    Node* node = runs.start(order_[position].number);
    for (std::uint32_t i = order_[position].first_read; i < read_end(position); ++i) {
      reads_[i].at = node;
      node = runs.after(node, value_of(runs, reads_[i].writer, node->key));
    }
    order_[position].node = node;
  }
}

template class OrderedHistory<1>;
template class OrderedHistory<4>;

}  // namespace isomer::explore
