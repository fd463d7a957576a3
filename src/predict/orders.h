// SPDX-License-Identifier: MIT
// Section 4.2 of the paper: unserializability, without a quantified formula.
//
// A history is explained by an order `before` (transitive, acyclic, containing session
// order) if each read that takes part *fits* it: with w the writer it reads from, t its
// transaction and k its key,
//
//     w is before t;
//     another writer of k that is before t is before w         (arbitration, ww)
//     another writer of k that is behind w is behind t         (anti-dependency, rw)
//
// Then the least relation pco of the paper is part of `before`, so it has no cycle; and if
// `before` is a total order, it is a commit order.  So a candidate that some order explains
// teaches: in what is looked for, some read that takes part does not fit that order.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "predict/feasible.h"

namespace isomer::predict {

// A strict order of transactions, closed.
class TxnOrder {
 public:
  explicit TxnOrder(std::size_t size) : size_(size), words_((size + 63) / 64) {
    bits_.assign(size_ * words_, 0);
  }

  static TxnOrder total(std::span<const TxnNumber> order, std::size_t size);

  // The closure of edges, by transaction: those directly before it.  Absent if there is a
  // cycle.
  static std::optional<TxnOrder> closure(
      const std::vector<std::vector<TxnNumber>>& directly_before);

  [[nodiscard]] std::size_t size() const { return size_; }

  [[nodiscard]] bool is_before(TxnNumber a, TxnNumber b) const {
    return (bits_[b * words_ + a / 64] >> (a % 64) & 1U) != 0;
  }

  // A bit for each transaction: is it before this one?
  [[nodiscard]] std::span<const std::uint64_t> before(TxnNumber txn) const {
    return std::span(bits_).subspan(txn * words_, words_);
  }

  [[nodiscard]] TxnOrder reversed() const;

  // False if b is before a already, or they are the same.
  bool add(TxnNumber a, TxnNumber b);

 private:
  std::size_t size_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;  // by transaction: those before it
};

// A candidate: who takes part, and who read from whom.
struct CandidateRun {
  std::vector<bool> is_in;                       // by transaction
  std::vector<std::vector<bool>> writes;         // by transaction, then its keys
  std::vector<std::optional<TxnNumber>> writer;  // by read; absent if it takes no part
  // By session: the operation of the observed run that it ends with; absent if none is.
  std::vector<std::optional<std::uint32_t>> boundary = {};

  // Takes part, and writes the key inside its boundary.
  [[nodiscard]] bool is_writer(const Observed& observed, TxnNumber txn,
                               KeyNumber key) const;
};

// Everything as it was observed.
CandidateRun observed_candidate(const Observed& observed);

// The paper's pco; absent if it has a cycle.  If time runs out, a part of it.
std::optional<TxnOrder> pco(const Observed& observed, const CandidateRun& candidate,
                            const Budget& budget = {});

// The bits of which one must hold: some read that takes part does not fit the order.
std::vector<Bit> lesson(Circuit& circuit, const Observed& observed,
                        const Feasible& feasible, const TxnOrder& order);

}  // namespace isomer::predict
