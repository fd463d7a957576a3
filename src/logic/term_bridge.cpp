// SPDX-License-Identifier: MIT
#include "logic/term_bridge.h"

#include <vector>

#include <fmt/format.h>

namespace isomer::logic {

Bit TermBridge::bit(Term term) {
  if (terms_.is_true(term)) return true_bit;
  if (terms_.is_false(term)) return false_bit;
  if (terms_.kind(term) == TermKind::Not) return ~bit(terms_.arguments(term).front());
  const auto [place, is_new] = bits_.try_emplace(term);
  if (is_new) {
    place->second = circuit.variable();
    terms_of_[place->second.node()] = term;
  }
  return place->second;
}

Term TermBridge::term(Bit bit) {
  const Term node = term_of_node(bit.node());
  return bit.is_negated() ? terms_.negation(node) : node;
}

Term TermBridge::term_of_node(std::uint32_t node) {
  if (node == false_bit.node()) return terms_.truth(false_bit.is_negated());
  if (const auto found = terms_of_.find(node); found != terms_of_.end())
    return found->second;
  const std::vector<Bit> inputs(circuit.inputs(node).begin(), circuit.inputs(node).end());
  Term out;
  if (inputs.empty()) {
    out = terms_.variable(fmt::format("w{}", node), TermSort::Bool);
  } else {
    std::vector<Term> parts;
    for (const Bit input : inputs)
      parts.push_back(term(input));
    out = terms_.all(parts);
  }
  terms_of_[node] = out;
  return out;
}

}  // namespace isomer::logic
