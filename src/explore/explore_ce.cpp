// SPDX-License-Identifier: MIT
// The search extends a history by Next, and reads from every writer that is already there.
// What a read could get from a writer that comes later in oracle order is found by
// swapping: when a transaction t commits, each earlier read r of a key that it writes may
// be put behind t and read from it.  Everything behind r that t does not depend on is
// deleted, and done again by Next.
//
// Many histories lead to the same one that way, since they differ only in what is deleted.
// Optimality lets exactly one of them swap: the one whose deleted reads (and r itself) read
// from the latest writer of their causal past.  The paper also demands that they are not
// `swapped`.  That follows: a swapped read reads from a transaction that is not in its
// causal past.  (docs/engines/explore.md has the argument, and a program for which the
// predicate as printed, which looks at fewer transactions, loses a history.)
#include "explore/explore_ce.h"

#include <algorithm>
#include <ranges>

#include "base/assert.h"

namespace isomer::explore {

template <std::size_t Words>
std::optional<TxnNumber> ExploreCe<Words>::Next(const History& history) const {
  for (TxnNumber txn = 1; txn < program_.size(); ++txn)
    if (!history.contains(txn)) return txn;
  return std::nullopt;
}

template <std::size_t Words>
void ExploreCe<Words>::ValidWrites(const History& history,
                                   std::vector<TxnNumber>& writers) {
  const KeyNumber key = history.last().node->key;
  writers.clear();
  if (may_read(history, initial_txn)) writers.push_back(initial_txn);
  for (const OrderedTxn& txn : history.transactions())
    if (history.writes(txn, key) && may_read(history, txn.number))
      writers.push_back(txn.number);
}

template <std::size_t Words>
bool ExploreCe<Words>::may_read(const History& history, TxnNumber writer) {
  if (!history.allows_read(writer, scratch_order_)) return false;
  if (!text_allows_) return true;
  scratch_ = history;
  read_from(scratch_, writer);
  return text_allows_(scratch_);
}

template <std::size_t Words>
void ExploreCe<Words>::read_from(History& history, TxnNumber writer) {
  Node* node = history.last().node;
  history.add_read(writer, runs_.after(node, history.value_of(runs_, writer, node->key)));
}

template <std::size_t Words>
Reorderings ExploreCe<Words>::ComputeReorderings(const History& history) const {
  Reorderings out;
  const OrderedTxn& writer = history.last();
  const Set& past = history.past(writer.number);
  for (std::uint32_t position = 0; position + 1 < history.transactions().size();
       ++position) {
    const OrderedTxn& reader = history.transactions()[position];
    if (past.contains(reader.number)) continue;
    for (std::uint32_t i = reader.first_read; i < history.read_end(position); ++i)
      if (writer.node->writes_key(history.reads()[i].key())) out.push_back({position, i});
  }
  return out;
}

template <std::size_t Words>
bool ExploreCe<Words>::reread(const History& history, ReadPlace read, const Set& kept,
                              TxnNumber writer, History& result) const {
  result = empty_;
  const auto& transactions = history.transactions();
  for (std::uint32_t position = 0; position < transactions.size(); ++position)
    if (position < read.position ||
        (position > read.position && kept.contains(transactions[position].number)))
      result.add_from(history, position, history.read_end(position),
                      transactions[position].node);
  Node* at = history.reads()[read.index].at;
  result.add_from(history, read.position, read.index, at);
  Node* next = runs_.after(at, result.value_of(runs_, writer, at->key));
  return result.add_read(writer, next) && (!text_allows_ || text_allows_(result));
}

template <std::size_t Words>
bool ExploreCe<Words>::Swap(const History& history, ReadPlace read, History& result) const {
  const TxnNumber writer = history.last().number;
  Set kept = history.past(writer);
  kept.insert(writer);
  return reread(history, read, kept, writer, result);
}

template <std::size_t Words>
bool ExploreCe<Words>::Optimality(const History& history, ReadPlace read) {
  Set kept = history.past(history.last().number);
  kept.insert(history.last().number);
  const auto& transactions = history.transactions();
  for (std::uint32_t position = read.position; position < transactions.size(); ++position) {
    const OrderedTxn& txn = transactions[position];
    if (position > read.position && kept.contains(txn.number)) continue;
    Set past = history.session_past(txn.number);
    for (std::uint32_t i = txn.first_read; i < history.read_end(position); ++i) {
      if (i >= read.index && !readLatest(history, {position, i}, past, kept)) return false;
      ISOMER_DEBUG_ASSERT(i < read.index || !swapped(history, {position, i}));
      const TxnNumber writer = history.reads()[i].writer;
      past |= history.past(writer);
      past.insert(writer);
    }
  }
  return Swap(history, read, scratch_);
}

// `past` is what the read's transaction depends on without this read and those after it.
// The read is known to be allowed as it is, so only writers behind its own count.
template <std::size_t Words>
bool ExploreCe<Words>::readLatest(const History& history, ReadPlace read, const Set& past,
                                  const Set& kept) {
  const ReadEvent& event = history.reads()[read.index];
  if (!past.contains(event.writer)) return false;
  for (const OrderedTxn& txn : history.transactions() | std::views::reverse) {
    if (txn.number == event.writer) return true;
    if (past.contains(txn.number) && history.writes(txn, event.key()) &&
        reread(history, read, kept, txn.number, scratch_))
      return false;
  }
  return true;
}

template <std::size_t Words>
bool ExploreCe<Words>::swapped(const History& history, ReadPlace read) const {
  const OrderedTxn& reader = history.transactions()[read.position];
  const TxnNumber writer = history.reads()[read.index].writer;
  if (writer < reader.number) return false;
  for (std::uint32_t position = 0; position < read.position; ++position)
    if (history.past(history.transactions()[position].number).contains(writer))
      return false;
  for (std::uint32_t i = reader.first_read; i < read.index; ++i)
    if (history.reads()[i].writer == writer) return false;
  return true;
}

template class ExploreCe<1>;
template class ExploreCe<4>;

}  // namespace isomer::explore
