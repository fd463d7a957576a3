// SPDX-License-Identifier: MIT
// Best first: a node is an assignment, in which places with option 0 are still open.  If a
// bad assignment covers the node, then any solution below it has another option in some
// open place, one that the bad one does not cover there: one child for each.  No child is
// cheaper than its parent, so the first node that nothing covers is a cheapest solution.
#include "audit/cheapest.h"

#include <set>
#include <tuple>

namespace isomer::audit {

Price price_of(const Assignment& assignment) {
  Price out;
  for (const std::uint32_t option : assignment) {
    out.changed += option == 0 ? 0 : 1;
    out.sum += option;
  }
  return out;
}

Cheapest::Cheapest(std::vector<std::uint32_t> option_counts, Order is_covered)
    : option_counts_(std::move(option_counts)), is_covered_(std::move(is_covered)) {}

bool Cheapest::covers(const Assignment& strong, const Assignment& weak) const {
  for (std::size_t i = 0; i < strong.size(); ++i)
    if (!is_covered_(i, weak[i], strong[i])) return false;
  return true;
}

void Cheapest::exclude(Assignment bad, std::size_t reason) {
  std::erase_if(bad_, [&](const Bad& known) { return covers(bad, known.assignment); });
  bad_.push_back({std::move(bad), reason});
}

const Cheapest::Bad* Cheapest::excluder(const Assignment& assignment) const {
  for (const Bad& bad : bad_)
    if (covers(bad.assignment, assignment)) return &bad;
  return nullptr;
}

std::optional<std::size_t> Cheapest::reason_against(const Assignment& assignment) const {
  const Bad* bad = excluder(assignment);
  return bad == nullptr ? std::nullopt : std::optional(bad->reason);
}

std::optional<Assignment> Cheapest::next(const Budget& budget) const {
  using Node = std::tuple<Price, Assignment>;
  std::set<Node> open;
  const Assignment start(option_counts_.size(), 0);
  open.emplace(price_of(start), start);
  while (!open.empty() && !budget.is_exhausted()) {
    const Assignment node = std::get<1>(open.extract(open.begin()).value());
    const Bad* bad = excluder(node);
    if (bad == nullptr) return node;
    for (std::size_t i = 0; i < option_counts_.size(); ++i) {
      if (node[i] != 0) continue;
      for (std::uint32_t option = 1; option < option_counts_[i]; ++option) {
        if (is_covered_(i, option, bad->assignment[i])) continue;
        Assignment child = node;
        child[i] = option;
        open.emplace(price_of(child), std::move(child));
      }
    }
  }
  return std::nullopt;
}

}  // namespace isomer::audit
