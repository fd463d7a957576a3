// SPDX-License-Identifier: MIT
// Sets of transactions, and strict orders of them, as machine words.
//
// Transactions are numbers: 0 is the initial one, the others count from 1 session by
// session, which is also the oracle order.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace isomer::explore {

using TxnNumber = std::uint32_t;

inline constexpr TxnNumber initial_txn = 0;

template <std::size_t Words>
class TxnSet {
 public:
  static constexpr std::size_t capacity = Words * 64;

  [[nodiscard]] bool contains(TxnNumber txn) const {
    return (words_[txn / 64] >> (txn % 64) & 1U) != 0;
  }

  void insert(TxnNumber txn) { words_[txn / 64] |= std::uint64_t{1} << (txn % 64); }

  void erase(TxnNumber txn) { words_[txn / 64] &= ~(std::uint64_t{1} << (txn % 64)); }

  [[nodiscard]] bool is_empty() const {
    for (const std::uint64_t word : words_)
      if (word != 0) return false;
    return true;
  }

  [[nodiscard]] bool is_subset_of(const TxnSet& other) const {
    for (std::size_t i = 0; i < Words; ++i)
      if ((words_[i] & ~other.words_[i]) != 0) return false;
    return true;
  }

  TxnSet& operator|=(const TxnSet& other) {
    for (std::size_t i = 0; i < Words; ++i)
      words_[i] |= other.words_[i];
    return *this;
  }

  TxnSet& operator&=(const TxnSet& other) {
    for (std::size_t i = 0; i < Words; ++i)
      words_[i] &= other.words_[i];
    return *this;
  }

  TxnSet& operator-=(const TxnSet& other) {
    for (std::size_t i = 0; i < Words; ++i)
      words_[i] &= ~other.words_[i];
    return *this;
  }

  friend TxnSet operator|(TxnSet a, const TxnSet& b) { return a |= b; }

  friend TxnSet operator&(TxnSet a, const TxnSet& b) { return a &= b; }

  friend TxnSet operator-(TxnSet a, const TxnSet& b) { return a -= b; }

  friend auto operator<=>(const TxnSet&, const TxnSet&) = default;

  // In ascending order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < Words; ++i)
      for (std::uint64_t rest = words_[i]; rest != 0; rest &= rest - 1)
        visit(static_cast<TxnNumber>(i * 64 +
                                     static_cast<std::size_t>(std::countr_zero(rest))));
  }

  [[nodiscard]] std::size_t hash() const {
    std::uint64_t out = 0;
    for (const std::uint64_t word : words_)
      out = (out ^ word) * 0x9e3779b97f4a7c15U;
    return static_cast<std::size_t>(out ^ out >> 32);
  }

 private:
  std::array<std::uint64_t, Words> words_{};
};

// A strict partial order, transitively closed.
template <std::size_t Words>
class Order {
 public:
  using Set = TxnSet<Words>;

  void reset(std::size_t size) { before_.assign(size, {}); }

  [[nodiscard]] const Set& before(TxnNumber txn) const { return before_[txn]; }

  // For a transaction that is before no other.
  void put_last(TxnNumber txn, const Set& before) { before_[txn] |= before; }

  // False if `first` already comes after `second`: then nothing changes.
  bool add(TxnNumber first, TxnNumber second) {
    if (first == second || before_[first].contains(second)) return false;
    if (before_[second].contains(first)) return true;
    Set added = before_[first];
    added.insert(first);
    before_[second] |= added;
    for (Set& set : before_)
      if (set.contains(second)) set |= added;
    return true;
  }

 private:
  std::vector<Set> before_;  // by transaction
};

}  // namespace isomer::explore
