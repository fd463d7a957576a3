// SPDX-License-Identifier: MIT
// The axioms of the built-in levels, evaluated on a given order (private to certify.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/level.h"
#include "history/history.h"

namespace isomer::check {

// A history with every question answered: who wrote what each read returned, and in which
// order the transactions that took effect committed.
struct OrderedHistory {
  static constexpr std::uint32_t not_placed = 0xffffffffU;

  const history::History& history;
  std::vector<history::TxnId> order;    // the initial one first
  std::vector<std::uint32_t> position;  // by transaction: where it stands in `order`
  std::vector<history::TxnId> writer;   // by read

  [[nodiscard]] bool took_effect(history::TxnId t) const {
    return position[t.index] != not_placed;
  }
};

// Absent if the order satisfies the axioms of the level; else one instance that fails.
// Expects so, wr and the known version orders to be in the order already.
std::optional<std::string> failing_axiom(const OrderedHistory& ordered, Level level);

}  // namespace isomer::check
