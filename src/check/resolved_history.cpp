// SPDX-License-Identifier: MIT
#include "check/resolved_history.h"

#include <algorithm>
#include <numeric>

#include "base/assert.h"

namespace isomer::check {

using history::SessionId;
using history::Status;

bool ResolvedHistory::is_writer(TxnId t, KeyId x) const {
  const auto keys = writes(t);
  return t == init || std::binary_search(keys.begin(), keys.end(), x);
}

TxnId ResolvedHistory::reader(std::uint32_t read) const {
  const auto after = std::upper_bound(read_offsets_.begin(), read_offsets_.end(), read);
  return {static_cast<std::uint32_t>(after - read_offsets_.begin()) - 1};
}

bool ResolvedHistory::took_effect(TxnId t) const {
  return effect_.empty() ? history_->status(t) == Status::Committed : effect_[t.index];
}

ResolvedHistory ResolvedHistory::whole(const History& h, const Writers& writers) {
  ResolvedHistory result;
  result.history_ = &h;
  result.chain_of_.resize(h.txn_count());
  result.chain_first_ = {0};
  for (std::uint32_t s = 0; s < h.session_count(); ++s)
    result.chain_first_.push_back(h.first_txn({s}).index);
  result.chain_first_.push_back(h.txn_count());
  for (std::uint32_t t = 1; t < h.txn_count(); ++t)
    result.chain_of_[t] = h.session({t}).index + 1;

  if (h.has_unknown_outcomes() || !h.ambiguous_reads().empty()) {
    result.copy(h, writers);
  } else {
    result.reads_ = h.all_reads();
    result.read_offsets_ = h.read_offsets();
    result.writes_ = h.all_writes();
    result.write_offsets_ = h.write_offsets();
    result.writers_ = h.all_writers();
    result.writer_offsets_ = h.writer_offsets();
  }
  result.find_version_edges({}, {});
  return result;
}

// Leaves out what did not take effect, and gives each ambiguous read its writer.
void ResolvedHistory::copy(const History& h, const Writers& writers) {
  effect_.resize(h.txn_count());
  for (std::uint32_t t = 0; t < h.txn_count(); ++t)
    effect_[t] = h.took_effect({t});
  for (const TxnId writer : writers)
    if (!writer.is_none()) effect_[writer.index] = true;

  own_read_offsets_.push_back(0);
  own_write_offsets_.push_back(0);
  std::size_t next_ambiguous = 0;
  const auto ambiguous = h.ambiguous_reads();
  for (std::uint32_t t = 0; t < h.txn_count(); ++t) {
    for (std::uint32_t r = h.read_offsets()[t]; r < h.read_offsets()[t + 1]; ++r) {
      Read read = h.all_reads()[r];
      if (next_ambiguous < ambiguous.size() && ambiguous[next_ambiguous].index == r)
        read.writer = writers[next_ambiguous++];
      if (read.writer.is_none()) continue;
      own_reads_.push_back(read);
      original_read_.push_back({r});
    }
    if (effect_[t]) {
      const auto keys = h.writes({t});
      own_writes_.insert(own_writes_.end(), keys.begin(), keys.end());
    }
    own_read_offsets_.push_back(static_cast<std::uint32_t>(own_reads_.size()));
    own_write_offsets_.push_back(static_cast<std::uint32_t>(own_writes_.size()));
  }
  ISOMER_ASSERT(next_ambiguous == ambiguous.size());
  own_writer_offsets_.assign(h.key_count() + 1, 0);
  index_writers();
}

// Needs own_writes_, and own_writer_offsets_ of the right size.
void ResolvedHistory::index_writers() {
  for (const KeyId x : own_writes_)
    ++own_writer_offsets_[x.index + 1];
  std::partial_sum(own_writer_offsets_.begin(), own_writer_offsets_.end(),
                   own_writer_offsets_.begin());
  std::vector<std::uint32_t> next(own_writer_offsets_.begin(),
                                  own_writer_offsets_.end() - 1);
  own_writers_.resize(own_writes_.size());
  view_own();
  for (std::uint32_t t = 0; t < txn_count(); ++t)
    for (const KeyId x : writes({t}))
      own_writers_[next[x.index]++] = {t};
}

void ResolvedHistory::view_own() {
  reads_ = own_reads_;
  read_offsets_ = own_read_offsets_;
  writes_ = own_writes_;
  write_offsets_ = own_write_offsets_;
  writers_ = own_writers_;
  writer_offsets_ = own_writer_offsets_;
}

// A transaction of unknown outcome takes effect in a part only if the part shows it:
// somebody in it read from it, or a list has its element.
std::vector<bool> ResolvedHistory::effects_of_part(std::span<const TxnId> transactions,
                                                   std::span<const TxnId> new_txn) const {
  std::vector<bool> effects{true};
  for (const TxnId t : transactions)
    if (t != init) effects.push_back(history_->status(original(t)) == Status::Committed);
  for (const TxnId t : transactions)
    for (const Read& read : reads(t))
      if (!new_txn[read.writer.index].is_none())
        effects[new_txn[read.writer.index].index] = true;
  if (history_->is_list_append() && history_->has_unknown_outcomes())
    for (std::uint32_t x = 0; x < history_->key_count(); ++x)
      for (const TxnId version : history_->version_order({x}))
        for (const TxnId t : transactions)
          if (original(t) == version) effects[new_txn[t.index].index] = true;
  return effects;
}

ResolvedHistory ResolvedHistory::part(std::span<const TxnId> transactions) const {
  ResolvedHistory result;
  result.history_ = history_;
  result.original_txn_ = {init};
  result.chain_of_ = {0};
  result.chain_first_ = {0};
  std::vector<TxnId> new_txn(txn_count(), TxnId::none());
  new_txn[0] = init;
  std::uint32_t last_chain = 0;
  for (const TxnId t : transactions) {
    if (t == init) continue;
    const auto id = static_cast<std::uint32_t>(result.chain_of_.size());
    if (chain(t) != last_chain) result.chain_first_.push_back(id);
    last_chain = chain(t);
    new_txn[t.index] = {id};
    result.chain_of_.push_back(static_cast<std::uint32_t>(result.chain_first_.size()) - 1);
    result.original_txn_.push_back(original(t));
  }
  result.chain_first_.push_back(static_cast<std::uint32_t>(result.chain_of_.size()));
  result.effect_ = effects_of_part(transactions, new_txn);

  std::vector<KeyId> new_key(key_count(), KeyId::none());
  const auto key = [&](KeyId x) {
    if (new_key[x.index].is_none()) {
      new_key[x.index] = {static_cast<std::uint32_t>(result.original_key_.size())};
      result.original_key_.push_back(original(x));
    }
    return new_key[x.index];
  };
  result.own_read_offsets_ = {0};
  result.own_write_offsets_ = {0};
  const auto add = [&](TxnId t) {
    for (std::uint32_t r = first_read(t); r < read_offsets_[t.index + 1]; ++r) {
      const Read& read = reads_[r];
      if (new_txn[read.writer.index].is_none()) continue;
      result.own_reads_.push_back({key(read.key), new_txn[read.writer.index], read.op});
      result.original_read_.push_back(original_read(r));
    }
    const auto first = static_cast<std::ptrdiff_t>(result.own_writes_.size());
    if (result.effect_[new_txn[t.index].index])
      for (const KeyId x : writes(t))
        result.own_writes_.push_back(key(x));
    std::sort(result.own_writes_.begin() + first, result.own_writes_.end());
    result.own_read_offsets_.push_back(
        static_cast<std::uint32_t>(result.own_reads_.size()));
    result.own_write_offsets_.push_back(
        static_cast<std::uint32_t>(result.own_writes_.size()));
  };
  add(init);
  for (const TxnId t : transactions)
    if (t != init) add(t);
  result.own_writer_offsets_.assign(result.original_key_.size() + 1, 0);
  result.index_writers();
  std::vector<TxnId> from_history(history_->txn_count(), TxnId::none());
  for (std::uint32_t t = 0; t < result.txn_count(); ++t)
    from_history[result.original_txn_[t].index] = {t};
  std::vector<KeyId> key_from_history(history_->key_count(), KeyId::none());
  for (std::uint32_t x = 0; x < result.key_count(); ++x)
    key_from_history[result.original_key_[x].index] = {x};
  result.find_version_edges(from_history, key_from_history);
  return result;
}

// Consecutive versions, and from the last one to each writer that nobody saw.  The maps
// lead from the history's ids to ours; empty ones are the identity.
void ResolvedHistory::find_version_edges(std::span<const TxnId> new_txn,
                                         std::span<const KeyId> new_key) {
  const History& h = *history_;
  if (!h.is_list_append()) return;
  for (std::uint32_t x = 0; x < h.key_count(); ++x) {
    const KeyId key = new_key.empty() ? KeyId{x} : new_key[x];
    const auto order = h.version_order({x});
    if (key.is_none() || order.empty()) continue;
    TxnId last = TxnId::none();
    std::vector<bool> is_seen(writers(key).size(), false);
    for (const TxnId version : order) {
      const TxnId t = new_txn.empty() ? version : new_txn[version.index];
      if (t.is_none()) continue;
      if (!last.is_none() && last != t) version_edges_.push_back({last, t, key});
      last = t;
      const auto found = std::lower_bound(writers(key).begin(), writers(key).end(), t);
      is_seen[static_cast<std::size_t>(found - writers(key).begin())] = true;
    }
    if (last.is_none()) continue;
    for (std::size_t i = 0; i < is_seen.size(); ++i)
      if (!is_seen[i]) version_edges_.push_back({last, writers(key)[i], key});
  }
}

}  // namespace isomer::check
