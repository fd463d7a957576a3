// SPDX-License-Identifier: MIT
#include "explore/dfs.h"

#include <algorithm>

namespace isomer::explore {

template <std::size_t Words>
bool Dfs<Words>::explore(const History& history, double weight) {
  if (++counts_.explored % 1024 == 0 && !hooks_.goes_on(0)) return false;
  if (history.has_pending()) return explore_reads(history, weight);
  const std::vector<TxnNumber> next = beginnings(history);
  if (next.empty()) return end(history, weight);
  for (const TxnNumber txn : next) {
    History longer = history;
    longer.begin(txn, runs_.start(txn));
    if (!is_allowed(longer)) {
      ++counts_.blocked;
      continue;
    }
    if (!explore(longer, weight / static_cast<double>(next.size()))) return false;
  }
  return true;
}

template <std::size_t Words>
bool Dfs<Words>::explore_reads(const History& history, double weight) {
  std::vector<TxnNumber> writers;
  explore_ce_.ValidWrites(history, writers);
  bool is_blocked = true;
  for (const TxnNumber writer : writers) {
    History longer = history;
    explore_ce_.read_from(longer, writer);
    if (!is_allowed(longer)) continue;
    is_blocked = false;
    if (!explore(longer, weight / static_cast<double>(writers.size()))) return false;
  }
  if (is_blocked) ++counts_.blocked;
  return true;
}

template <std::size_t Words>
bool Dfs<Words>::end(const History& history, double weight) {
  ++counts_.end_states;
  if (!hooks_.goes_on(weight)) return false;
  return !seen_.insert(name_of(history)).second || hooks_.on_end(history, {});
}

template <std::size_t Words>
bool Dfs<Words>::is_allowed(const History& history) const {
  if (level_ == nullptr) return true;
  std::vector<Part> parts = Consistency<Words>::whole(history);
  parts.back().is_whole = !history.has_pending();
  return level_->allows(history, parts);
}

template <std::size_t Words>
std::vector<TxnNumber> Dfs<Words>::beginnings(const History& history) const {
  std::vector<TxnNumber> out;
  for (TxnNumber txn = 1; txn < program_.size(); ++txn) {
    const TxnNumber previous = program_[txn].previous;
    if (!history.contains(txn) && (previous == initial_txn || history.contains(previous)))
      out.push_back(txn);
  }
  return out;
}

// Who read from whom: transactions are deterministic, so it says everything.
template <std::size_t Words>
std::u32string Dfs<Words>::name_of(const History& history) const {
  std::vector<std::u32string> parts(program_.size());
  for (std::uint32_t position = 0; position < history.transactions().size(); ++position) {
    const OrderedTxn& txn = history.transactions()[position];
    for (std::uint32_t i = txn.first_read; i < history.read_end(position); ++i)
      parts[txn.number].push_back(static_cast<char32_t>(history.reads()[i].writer + 1));
  }
  std::u32string out;
  for (const std::u32string& part : parts)
    (out += part).push_back(0);
  return out;
}

template class Dfs<1>;
template class Dfs<4>;

}  // namespace isomer::explore
