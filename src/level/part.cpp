// SPDX-License-Identifier: MIT
// Which transactions, reads, keys and values of a history a level sees, and what is open.
#include "level/part.h"

#include <algorithm>
#include <set>

namespace isomer::level {
namespace {

using history::History;
using history::init;
using history::KeyId;
using history::ReadId;
using history::Status;
using history::TxnId;
using history::Value;

class Cutter {
 public:
  Cutter(const History& history, const Level& level, std::vector<TxnId> txns,
         std::span<const ReadId> dropped)
      : h_(history), level_(level), dropped_(dropped), part_{history, {}, level.uses_events,
                                                             {},      {}, {}} {
    part_.index.txns = std::move(txns);
  }

  Part cut() {
    find_reads();
    find_open_txns();
    find_keys();
    if (level_.uses_values) find_values();
    if (h_.is_list_append()) find_versions();
    return std::move(part_);
  }

 private:
  [[nodiscard]] bool is_in(TxnId t) const { return part_.index.place(t).has_value(); }

  // The reads that surely read from inside, and the open ones that do whatever is chosen.
  void find_reads() {
    for (const TxnId t : part_.index.txns)
      for (std::uint32_t r = h_.read_offsets()[t.index]; r < h_.read_offsets()[t.index + 1];
           ++r) {
        if (std::find(dropped_.begin(), dropped_.end(), ReadId{r}) != dropped_.end())
          continue;
        const std::vector<TxnId> writers = possible_writers({r});
        if (writers.empty() ||
            !std::ranges::all_of(writers, [&](TxnId w) { return is_in(w); }))
          continue;
        part_.index.reads.push_back({r});
        if (writers.size() > 1)
          part_.open_reads.push_back({{r}, writers});
        else
          sure_writers_.insert(writers.front());
      }
  }

  // None if nothing explains the read.  What levels say of sessions, and whether anything
  // at all, is for their texts.
  [[nodiscard]] std::vector<TxnId> possible_writers(ReadId r) const {
    std::vector<TxnId> out;
    const auto ambiguous = h_.ambiguous_reads();
    const auto open = std::ranges::lower_bound(ambiguous, r);
    if (const TxnId writer = h_.all_reads()[r.index].writer; !writer.is_none()) {
      out.push_back(writer);
    } else if (open != ambiguous.end() && *open == r) {
      const auto candidates =
          h_.candidates(static_cast<std::size_t>(open - ambiguous.begin()));
      out.assign(candidates.begin(), candidates.end());
    } else {
      return out;
    }
    const std::vector<TxnId> later = h_.later_writers(r);
    out.insert(out.end(), later.begin(), later.end());
    return out;
  }

  // A transaction of unknown outcome took effect if the part shows it.
  void find_open_txns() {
    if (!h_.has_unknown_outcomes()) return;
    std::set<TxnId> seen = sure_writers_;
    for (std::uint32_t x = 0; x < h_.key_count(); ++x)
      for (const TxnId t : h_.version_order({x}))
        seen.insert(t);
    for (const TxnId t : part_.index.txns)
      if (h_.status(t) == Status::Unknown && !seen.contains(t))
        part_.open_txns.push_back(t);
  }

  void find_keys() {
    std::set<KeyId> keys;
    for (const TxnId t : part_.index.txns)
      keys.insert(h_.writes(t).begin(), h_.writes(t).end());
    for (const ReadId r : part_.index.reads)
      keys.insert(h_.all_reads()[r.index].key);
    part_.index.keys.assign(keys.begin(), keys.end());
  }

  void find_values() {
    std::vector<Value>& values = part_.index.values;
    for (const KeyId x : part_.index.keys)
      for (const TxnId t : part_.index.txns)
        if (const auto value = h_.written_value(t, x)) values.push_back(*value);
    for (const ReadId r : part_.index.reads)
      values.push_back(h_.operations()[h_.all_reads()[r.index].op].value());
    std::sort(values.begin(), values.end(), is_value_before);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  // All pairs, so that an order of only some of the writers is bound too.
  void find_versions() {
    for (std::size_t i = 0; i < part_.index.keys.size(); ++i) {
      const KeyId x = part_.index.keys[i];
      std::vector<std::size_t> seen{0};
      for (const TxnId t : h_.version_order(x))
        if (const auto place = part_.index.place(t)) seen.push_back(*place);
      if (h_.version_order(x).empty()) continue;
      KnownVersions known{i, {}};
      for (std::size_t later = 0; later < seen.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
          if (seen[earlier] != seen[later])
            known.pairs.emplace_back(seen[earlier], seen[later]);
      for (const TxnId t : h_.writers(x)) {
        const auto place = part_.index.place(t);
        if (!place || std::find(seen.begin(), seen.end(), *place) != seen.end()) continue;
        for (const std::size_t earlier : seen)
          known.pairs.emplace_back(earlier, *place);
      }
      part_.versions.push_back(std::move(known));
    }
  }

  const History& h_;
  const Level& level_;
  std::span<const ReadId> dropped_;
  Part part_;
  std::set<TxnId> sure_writers_;  // of reads that are not open
};

}  // namespace

bool is_value_before(Value a, Value b) {
  return std::pair(a.kind, a.bits) < std::pair(b.kind, b.bits);
}

std::optional<std::size_t> TableIndex::place(TxnId t) const {
  const auto found = std::lower_bound(txns.begin(), txns.end(), t);
  if (found == txns.end() || *found != t) return std::nullopt;
  return static_cast<std::size_t>(found - txns.begin());
}

Part whole(const History& history, const Level& level) {
  std::vector<TxnId> txns;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t)
    if (history.status({t}) != Status::Aborted) txns.push_back({t});
  return Cutter(history, level, std::move(txns), {}).cut();
}

Part part(const History& history, const Level& level, std::span<const TxnId> transactions,
          std::span<const ReadId> dropped) {
  std::vector<TxnId> txns{init};
  for (const TxnId t : transactions)
    if (t != init) txns.push_back(t);
  return Cutter(history, level, std::move(txns), dropped).cut();
}

bool is_possible(const Part& part, const Choices& choices) {
  return std::all_of(choices.writers.begin(), choices.writers.end(), [&](TxnId writer) {
    const auto open = std::find(part.open_txns.begin(), part.open_txns.end(), writer);
    return open == part.open_txns.end() ||
           choices.took_effect[static_cast<std::size_t>(open - part.open_txns.begin())];
  });
}

}  // namespace isomer::level
