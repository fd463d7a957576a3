// SPDX-License-Identifier: MIT
// The levels by the letter of their definitions: is there a commit order that satisfies
// the axioms?  Shares nothing with the checkers.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/level.h"

namespace isomer::explore {

// None: `true`, which allows every history.
using AnyLevel = std::optional<check::Level>;

std::string name(AnyLevel level);

// A set of transactions, by number.
using Set = std::uint32_t;

// A history as axioms see it.  Transactions are numbered from 1; 0 is the initial one.
// Aborted transactions read but do not write.
struct Shape {
  struct Read {
    std::uint32_t reader;
    std::uint32_t key;
    std::uint32_t writer;
  };

  std::uint32_t count = 0;   // of transactions, with the initial one
  std::vector<Set> before;   // by transaction: those before it in session order
  std::vector<Read> reads;   // those of one transaction in program order
  std::vector<Set> writers;  // by key
  [[nodiscard]] Set so_wr(std::uint32_t t) const;  // those directly before t in so or wr
};

bool allows(AnyLevel level, const Shape& shape);

// Is there a commit order that satisfies the axioms and has the property?  Transactions
// stand in it first to last, the initial one too.
using OrderProperty = std::function<bool(const std::vector<std::uint32_t>& order)>;
bool has_commit_order(AnyLevel level, const Shape& shape, const OrderProperty& property);

}  // namespace isomer::explore
