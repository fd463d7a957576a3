// SPDX-License-Identifier: MIT
// Boolean circuits of and-gates and negations.  Equal gates are stored once, and constants,
// repeated and opposite inputs are simplified away as gates are made, so what is known of a
// partial instance costs nothing later.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"

namespace isomer::logic {

// A node or its negation.
struct Bit {
  std::uint32_t code = 0;  // twice the node, plus one if negated

  [[nodiscard]] std::uint32_t node() const { return code >> 1U; }

  [[nodiscard]] bool is_negated() const { return (code & 1U) != 0; }

  [[nodiscard]] bool is_constant() const { return node() == 0; }

  friend Bit operator~(Bit bit) { return {bit.code ^ 1U}; }

  friend auto operator<=>(Bit, Bit) = default;
};

inline constexpr Bit false_bit{0};
inline constexpr Bit true_bit{1};

constexpr Bit constant(bool value) {
  return value ? true_bit : false_bit;
}

class Circuit {
 public:
  Circuit();

  Bit variable();

  Bit all(std::span<const Bit> inputs);
  Bit any(std::span<const Bit> inputs);
  Bit both(Bit a, Bit b);
  Bit either(Bit a, Bit b);

  Bit implies(Bit a, Bit b) { return either(~a, b); }

  Bit same(Bit a, Bit b);

  [[nodiscard]] std::size_t node_count() const { return first_input_.size() - 1; }

  // From now on gates have at most so many inputs in all, and none is made when the budget
  // has run out.
  void set_limit(const Budget& budget, std::size_t inputs_max);

  // The limit is met: gates that are made now are constants that mean nothing.  Whoever
  // makes many asks now and then, and gives up.
  [[nodiscard]] bool is_exhausted() const { return is_stopped_ || budget_.is_exhausted(); }

  // That of the limit.
  [[nodiscard]] const Budget& budget() const { return budget_; }

  // The inputs of an and-gate; none for a variable and for the constant.
  [[nodiscard]] std::span<const Bit> inputs(std::uint32_t node) const {
    return std::span(inputs_).subspan(first_input_[node],
                                      first_input_[node + 1] - first_input_[node]);
  }

 private:
  Bit gate(std::span<const Bit> inputs);  // two or more, sorted, without constants
  [[nodiscard]] std::size_t slot_of(std::span<const Bit> wanted) const;
  void grow_table();
  std::uint32_t add_node(std::span<const Bit> inputs);

  std::vector<Bit> inputs_;
  std::vector<std::size_t> first_input_;  // node_count + 1
  std::vector<std::uint32_t> table_;      // gates by hash, open addressing; 0: free
  Budget budget_;
  std::size_t inputs_max_ = SIZE_MAX;
  std::uint32_t asked_ = 0;  // gates asked for, to look at the clock now and then
  bool is_stopped_ = false;
};

}  // namespace isomer::logic
