// SPDX-License-Identifier: MIT
// An ordered history h_<: transactions with who-read-from-whom, and the history order < in
// which the search has put them.  At most the last transaction is pending, and the events
// of a transaction stand together in <, so < is an order of transactions.
//
// What the level says about it is kept up to date read by read: the causal past of each
// transaction, and the commit order as far as the axioms force it.
#pragma once

#include <vector>

#include "explore/explore.h"
#include "explore/runs.h"
#include "explore/txn_set.h"

namespace isomer::explore {

struct ReadEvent {
  Node* at;  // where its transaction was, wanting this read
  TxnNumber writer;

  [[nodiscard]] KeyNumber key() const { return at->key; }
};

struct OrderedTxn {
  TxnNumber number;
  std::uint32_t first_read;  // into reads()
  Node* node;                // where it is, or its end
};

// A read, by place: reads()[index] of transactions()[position].
struct ReadPlace {
  std::uint32_t position;
  std::uint32_t index;
};

template <std::size_t Words>
class OrderedHistory {
 public:
  using Set = TxnSet<Words>;

  OrderedHistory() = default;
  OrderedHistory(const std::vector<ProgramTxn>& program, Base level);

  // --- what is there ---

  [[nodiscard]] const std::vector<OrderedTxn>& transactions() const { return order_; }

  [[nodiscard]] const std::vector<ReadEvent>& reads() const { return reads_; }

  [[nodiscard]] std::uint32_t read_end(std::uint32_t position) const {
    return position + 1 < order_.size() ? order_[position + 1].first_read
                                        : static_cast<std::uint32_t>(reads_.size());
  }

  [[nodiscard]] bool contains(TxnNumber txn) const { return present_.contains(txn); }

  [[nodiscard]] const OrderedTxn& last() const { return order_.back(); }

  [[nodiscard]] bool has_pending() const {
    return !order_.empty() && !order_.back().node->is_end();
  }

  // Transactions that are (so u wr)+ before this one.
  [[nodiscard]] const Set& past(TxnNumber txn) const { return past_[txn]; }

  // What the axioms of the level force of the commit order, closed.
  [[nodiscard]] const Order<Words>& commits() const { return commits_; }

  [[nodiscard]] bool writes(const OrderedTxn& txn, KeyNumber key) const {
    return txn.node->kind == Node::Kind::Commits && txn.node->writes_key(key);
  }

  // The past of the last transaction as its session gives it, without its reads.
  [[nodiscard]] Set session_past(TxnNumber txn) const;

  // --- how it grows ---

  void begin(TxnNumber txn, Node* start);
  // The last transaction reads what it wants from `writer`, and goes on at `next`.  False
  // if the level forbids it: then the history must not be used any more.
  bool add_read(TxnNumber writer, Node* next);
  // Would it?
  [[nodiscard]] bool allows_read(TxnNumber writer, Order<Words>& scratch) const;
  // Adds a transaction as it is in another history; of its reads, those before `read_end`.
  // False if the level forbids it.
  bool add_from(const OrderedHistory& other, std::uint32_t position, std::uint32_t read_end,
                Node* node);

  // The node that a read of the last transaction leads to.
  [[nodiscard]] ValueNumber value_of(const Runs& runs, TxnNumber writer,
                                     KeyNumber key) const;

  // Finds all nodes again after Runs::forget.
  void replay(Runs& runs);

 private:
  bool force(Order<Words>& commits, KeyNumber key, TxnNumber writer) const;

  [[nodiscard]] const OrderedTxn& transaction(TxnNumber txn) const {
    return order_[position_[txn]];
  }

  [[nodiscard]] bool writes(TxnNumber txn, KeyNumber key) const {
    return writes(transaction(txn), key);
  }

  const std::vector<ProgramTxn>* program_ = nullptr;
  Base level_ = Base::True;
  std::vector<OrderedTxn> order_;
  std::vector<ReadEvent> reads_;
  std::vector<std::uint32_t> position_;  // in order_, by transaction
  Set present_;
  std::vector<Set> past_;  // by transaction
  Set sources_;            // that the last transaction has read from
  Order<Words> commits_;
};

extern template class OrderedHistory<1>;
extern template class OrderedHistory<4>;

}  // namespace isomer::explore
