// SPDX-License-Identifier: MIT
// The search without reduction: any transaction that is next in its session may begin, and
// reads from any writer that the level allows.  The same history is reached in as many ways
// as there are orders that lead to it.
#pragma once

#include <functional>
#include <unordered_set>
#include <vector>

#include "explore/consistency.h"
#include "explore/explore_ce.h"
#include "explore/search.h"

namespace isomer::explore {

template <std::size_t Words>
class Dfs {
 public:
  using History = OrderedHistory<Words>;

  // `level` decides where `base`, which it implies, is not enough; it may be null.
  // `on_end` is called for the first way to each history only.
  Dfs(const std::vector<ProgramTxn>& program, Base base, Consistency<Words>* level,
      Runs& runs, SearchHooks<Words> hooks)
      : program_(program),
        explore_ce_(program, base, runs, hooks.base_allows),
        level_(level),
        runs_(runs),
        hooks_(std::move(hooks)) {}

  // False if a hook ended it.
  bool explore() { return explore(explore_ce_.start(), 1); }

  [[nodiscard]] const SearchCounts& counts() const { return counts_; }

 private:
  bool explore(const History& history, double weight);
  bool explore_reads(const History& history, double weight);
  bool end(const History& history, double weight);
  [[nodiscard]] bool is_allowed(const History& history) const;
  [[nodiscard]] std::vector<TxnNumber> beginnings(const History& history) const;
  [[nodiscard]] std::u32string name_of(const History& history) const;

  const std::vector<ProgramTxn>& program_;
  ExploreCe<Words> explore_ce_;
  Consistency<Words>* level_;
  Runs& runs_;
  SearchHooks<Words> hooks_;
  SearchCounts counts_;
  std::unordered_set<std::u32string> seen_;
};

extern template class Dfs<1>;
extern template class Dfs<4>;

}  // namespace isomer::explore
