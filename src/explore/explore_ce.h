// SPDX-License-Identifier: MIT
// The functions of explore-ce, under the names of the paper (PLDI'23, section 5).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "explore/ordered_history.h"

namespace isomer::explore {

// A read to be changed, so that it reads from the transaction that ended last.
using Reorderings = std::vector<ReadPlace>;

template <std::size_t Words>
class ExploreCe {
 public:
  using History = OrderedHistory<Words>;
  using Set = TxnSet<Words>;

  // Whether a base that is a text allows a history, whose last transaction is pending
  // whatever it has written.
  using TextAllows = std::function<bool(const History&)>;

  // With a text, `level` is one that the text implies, and is asked first; else the text is
  // empty.
  ExploreCe(const std::vector<ProgramTxn>& program, Base level, Runs& runs, TextAllows text)
      : program_(program),
        level_(level),
        runs_(runs),
        text_allows_(std::move(text)),
        empty_(program, level) {}

  // The history without any transaction.
  [[nodiscard]] const History& start() const { return empty_; }

  // Section 5.1: the next transaction to begin, in oracle order; absent if there is none.
  // (A pending one is always gone on with.)
  [[nodiscard]] std::optional<TxnNumber> Next(const History& history) const;
  // The transactions that the pending one may read from what it wants to read.
  void ValidWrites(const History& history, std::vector<TxnNumber>& writers);
  void read_from(History& history, TxnNumber writer);

  // Section 5.2, after the last transaction has committed.
  [[nodiscard]] Reorderings ComputeReorderings(const History& history) const;
  // False if the level forbids the result.
  bool Swap(const History& history, ReadPlace read, History& result) const;

  // Section 5.3.
  bool Optimality(const History& history, ReadPlace read);
  [[nodiscard]] bool swapped(const History& history, ReadPlace read) const;

 private:
  // The transactions behind `read` that are no predecessors of `kept`, and the rest of the
  // read's own transaction, go; the read is put last and reads from `writer`.  False if the
  // level forbids the result.
  bool reread(const History& history, ReadPlace read, const Set& kept, TxnNumber writer,
              History& result) const;
  bool readLatest(const History& history, ReadPlace read, const Set& past, const Set& kept);
  bool may_read(const History& history, TxnNumber writer);

  const std::vector<ProgramTxn>& program_;
  Base level_;
  Runs& runs_;
  TextAllows text_allows_;
  History empty_;
  History scratch_;
  Order<Words> scratch_order_;
};

extern template class ExploreCe<1>;
extern template class ExploreCe<4>;

}  // namespace isomer::explore
