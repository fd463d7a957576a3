// SPDX-License-Identifier: MIT
// If the whole history has an allowed order, then so has its restriction: the order without
// the transactions left out satisfies every axiom instance that is left.  So a restriction
// that no order satisfies proves a violation.
#include "check/small_history.h"

#include <algorithm>
#include <optional>

namespace isomer::check {
namespace {

using history::History;
using history::init;
using history::KeyId;
using history::Status;
using history::TxnId;

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <class T>
std::optional<std::uint32_t> number_of(const std::vector<T>& sorted, T value) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
  if (at == sorted.end() || *at != value) return std::nullopt;
  return static_cast<std::uint32_t>(at - sorted.begin());
}

struct Cut {
  const History& history;
  std::vector<TxnId> kept;  // by id
  std::vector<KeyId> keys;  // by id

  // The numbers of the transactions that may have written what read r returned; empty if
  // one of them is left out, or if nothing explains the read.
  [[nodiscard]] std::vector<std::uint32_t> writers(std::uint32_t r) const;
  [[nodiscard]] SmallHistory::Txn txn(TxnId t, UnknownOutcomes unknown) const;
};

std::vector<std::uint32_t> Cut::writers(std::uint32_t r) const {
  std::vector<TxnId> candidates;
  const TxnId writer = history.all_reads()[r].writer;
  if (!writer.is_none()) {
    candidates.push_back(writer);
  } else {
    const auto ambiguous = history.ambiguous_reads();
    const auto at =
        std::lower_bound(ambiguous.begin(), ambiguous.end(), history::ReadId{r});
    if (at == ambiguous.end() || *at != history::ReadId{r}) return {};
    const auto found = history.candidates(static_cast<std::size_t>(at - ambiguous.begin()));
    candidates.assign(found.begin(), found.end());
  }
  std::vector<std::uint32_t> numbers;
  for (const TxnId t : candidates) {
    const auto number = number_of(kept, t);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

SmallHistory::Txn Cut::txn(TxnId t, UnknownOutcomes unknown) const {
  SmallHistory::Txn small;
  small.session = history.session(t).index;
  small.took_effect = unknown == UnknownOutcomes::SeenByAnybody
                          ? history.took_effect(t)
                          : history.status(t) == Status::Committed;
  for (const KeyId x : history.writes(t))
    small.writes.push_back(*number_of(keys, x));
  if (history.status(t) != Status::Committed) return small;
  const std::uint32_t first = history.read_offsets()[t.index];
  const auto reads = history.reads(t);
  for (std::uint32_t i = 0; i < reads.size(); ++i) {
    std::vector<std::uint32_t> from = writers(first + i);
    if (!from.empty())
      small.reads.push_back({*number_of(keys, reads[i].key), std::move(from)});
  }
  return small;
}

}  // namespace

SmallHistory restriction(const History& history, std::span<const TxnId> named,
                         UnknownOutcomes unknown) {
  Cut cut{history, {named.begin(), named.end()}, {}};
  cut.kept.push_back(init);
  sort_unique(cut.kept);
  for (const TxnId t : cut.kept) {
    cut.keys.insert(cut.keys.end(), history.writes(t).begin(), history.writes(t).end());
    for (const history::Read& read : history.reads(t))
      cut.keys.push_back(read.key);
  }
  sort_unique(cut.keys);
  SmallHistory small;
  for (const TxnId t : cut.kept)
    small.txns.push_back(cut.txn(t, unknown));
  small.txns.front().took_effect = true;
  for (const KeyId x : cut.keys) {
    auto& order = small.version_orders.emplace_back();
    for (const TxnId t : history.version_order(x))
      if (const auto number = number_of(cut.kept, t)) order.push_back(*number);
  }
  return small;
}

}  // namespace isomer::check
