// SPDX-License-Identifier: MIT
#include "logic/circuit.h"

#include <algorithm>

namespace isomer::logic {
namespace {

std::size_t hash_of(std::span<const Bit> inputs) {
  std::uint64_t hash = inputs.size();
  for (const Bit input : inputs) {
    hash = (hash ^ input.code) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  }
  return hash;
}

}  // namespace

Circuit::Circuit() : first_input_{0}, table_(1024, 0) {
  add_node({});  // node 0, the constant
}

Bit Circuit::variable() {
  return {add_node({}) << 1U};
}

Bit Circuit::both(Bit a, Bit b) {
  if (a == false_bit || b == false_bit || a == ~b) return false_bit;
  if (a == true_bit || a == b) return b;
  if (b == true_bit) return a;
  const Bit pair[] = {std::min(a, b), std::max(a, b)};
  return gate(pair);
}

Bit Circuit::either(Bit a, Bit b) {
  return ~both(~a, ~b);
}

Bit Circuit::same(Bit a, Bit b) {
  return both(implies(a, b), implies(b, a));
}

Bit Circuit::all(std::span<const Bit> inputs) {
  if (inputs.size() == 2) return both(inputs[0], inputs[1]);
  std::vector<Bit> kept;
  kept.reserve(inputs.size());
  for (const Bit input : inputs) {
    if (input == false_bit) return false_bit;
    if (input != true_bit) kept.push_back(input);
  }
  // A bit and its negation are neighbours in this order.
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (std::size_t i = 1; i < kept.size(); ++i)
    if (kept[i] == ~kept[i - 1]) return false_bit;
  if (kept.empty()) return true_bit;
  return kept.size() == 1 ? kept.front() : gate(kept);
}

Bit Circuit::any(std::span<const Bit> inputs) {
  std::vector<Bit> negated(inputs.size());
  std::transform(inputs.begin(), inputs.end(), negated.begin(),
                 [](Bit bit) { return ~bit; });
  return ~all(negated);
}

void Circuit::set_limit(const Budget& budget, std::size_t inputs_max) {
  budget_ = budget;
  inputs_max_ = inputs_max;
}

Bit Circuit::gate(std::span<const Bit> inputs) {
  constexpr std::uint32_t interval = 1024;
  if (++asked_ % interval == 0 && budget_.is_exhausted()) is_stopped_ = true;
  if (inputs_.size() + inputs.size() > inputs_max_) is_stopped_ = true;
  if (is_stopped_) return false_bit;
  if (2 * node_count() > table_.size()) grow_table();
  const std::size_t slot = slot_of(inputs);
  if (table_[slot] == 0) table_[slot] = add_node(inputs);
  return {table_[slot] << 1U};
}

std::size_t Circuit::slot_of(std::span<const Bit> wanted) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash_of(wanted) & mask;
  while (table_[slot] != 0 && !std::ranges::equal(inputs(table_[slot]), wanted))
    slot = (slot + 1) & mask;
  return slot;
}

void Circuit::grow_table() {
  const std::vector<std::uint32_t> old = std::move(table_);
  table_.assign(old.size() * 4, 0);
  for (const std::uint32_t node : old)
    if (node != 0) table_[slot_of(inputs(node))] = node;
}

std::uint32_t Circuit::add_node(std::span<const Bit> inputs) {
  const auto node = static_cast<std::uint32_t>(node_count());
  inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
  first_input_.push_back(inputs_.size());
  return node;
}

}  // namespace isomer::logic
