// SPDX-License-Identifier: MIT
#include "predict/nearby.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::predict {
namespace {

struct Change {
  std::uint32_t read;
  TxnNumber writer;
};

using Changes = std::vector<Change>;

// A set of transactions.
class TxnSet {
 public:
  explicit TxnSet(std::size_t size) : words_((size + 63) / 64, 0) {}

  [[nodiscard]] bool contains(TxnNumber txn) const {
    return (words_[txn / 64] >> (txn % 64) & 1U) != 0;
  }

  void add(TxnNumber txn) { words_[txn / 64] |= std::uint64_t{1} << (txn % 64); }

  void add(std::span<const std::uint64_t> others) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      words_[i] |= others[i];
  }

  [[nodiscard]] bool meets(const TxnSet& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & other.words_[i]) != 0) return true;
    return false;
  }

 private:
  std::vector<std::uint64_t> words_;
};

// What the transaction in hand reads from whom, and writes.
struct View {
  TxnNumber txn = 0;
  std::vector<std::pair<KeyNumber, TxnNumber>> reads;  // in program order
  std::vector<KeyNumber> writes;
};

// The others that take part, all as observed.
class Others {
 public:
  Others(const Observed& observed, const TxnOrder& before, TxnNumber txn,
         const Budget& budget)
      : rest_(rest_of(observed, before, txn)),
        order_(pco(observed, rest_, budget).value()),
        reverse_(order_.reversed()) {}

  [[nodiscard]] const CandidateRun& candidate() const { return rest_; }

  [[nodiscard]] bool take_part(TxnNumber txn) const { return rest_.is_in[txn]; }

  [[nodiscard]] bool is_before(TxnNumber a, TxnNumber b) const {
    return order_.is_before(a, b);
  }

  void add_before(TxnNumber txn, TxnSet& set) const {
    set.add(txn);
    set.add(order_.before(txn));
  }

  void add_behind(TxnNumber txn, TxnSet& set) const {
    set.add(txn);
    set.add(reverse_.before(txn));
  }

 private:
  static CandidateRun rest_of(const Observed& observed, const TxnOrder& before,
                              TxnNumber txn) {
    CandidateRun out;
    for (TxnNumber other = 0; other < observed.txns.size(); ++other) {
      const bool is_in = other != txn && !before.is_before(txn, other);
      out.is_in.push_back(is_in);
      out.writes.emplace_back(observed.txns[other].writes.size(), is_in);
    }
    for (const ObservedRead& read : observed.reads)
      out.writer.push_back(out.is_in[read.reader] ? std::optional(read.writer)
                                                  : std::nullopt);
    out.boundary.resize(observed.sessions.size());
    return out;
  }

  CandidateRun rest_;
  TxnOrder order_;
  TxnOrder reverse_;
};

class NearbyRuns {
 public:
  NearbyRuns(const ObservedRun& run, const Options& options,
             const std::vector<std::vector<TxnNumber>>& readable,
             const std::function<bool(const CandidateRun&)>& visit)
      : o_(run.observed),
        before_(run.before),
        options_(options),
        readable_(readable),
        visit_(visit),
        rank_(o_.txns.size()),
        readers_(o_.keys.size()) {
    for (std::size_t i = 0; i < run.order.size(); ++i)
      rank_[run.order[i]] = i;
    for (std::uint32_t r = 0; r < o_.reads.size(); ++r)
      readers_[o_.reads[r].key].push_back(r);
  }

  void run() {
    for (TxnNumber txn = 1; txn < o_.txns.size(); ++txn)
      if (!change_one_read(txn)) return;
    if (!is_strict(options_.strategy)) miss_transactions();
  }

 private:
  bool change_one_read(TxnNumber txn) {
    const ObservedTxn& t = o_.txns[txn];
    std::optional<Others> others;
    for (std::uint32_t r = t.first_read; r < t.read_end; ++r)
      for (const TxnNumber writer : readable_[r]) {
        if (options_.budget.is_exhausted()) return false;
        if (before_.is_before(txn, writer)) continue;
        const Changes changes{{r, writer}};
        const View view = view_of(txn, changes);
        if (is_stale(view)) continue;
        if (!others) others.emplace(o_, before_, txn, options_.budget);
        if (!propose(*others, view, changes)) return false;
      }
    return true;
  }

  void miss_transactions() {
    std::vector<std::pair<TxnNumber, Changes>> all;
    for (TxnNumber txn = 1; txn < o_.txns.size(); ++txn)
      for (TxnNumber missed = 1; missed < o_.txns.size(); ++missed) {
        if (options_.budget.is_exhausted()) return;
        Changes changes = changes_without(txn, missed);
        if (changes.size() > 1) all.emplace_back(txn, std::move(changes));
      }
    std::ranges::stable_sort(all, {}, [](const auto& item) { return item.second.size(); });
    std::vector<std::optional<Others>> others(o_.txns.size());
    for (const auto& [txn, changes] : all) {
      if (options_.budget.is_exhausted()) return;
      const View view = view_of(txn, changes);
      if (is_stale(view)) continue;
      if (!others[txn]) others[txn].emplace(o_, before_, txn, options_.budget);
      if (!propose(*others[txn], view, changes)) return;
    }
  }

  // None if its session does not let it miss that one, or if nothing is left to read.
  Changes changes_without(TxnNumber txn, TxnNumber missed) const {
    const auto is_missed = [&](TxnNumber other) {
      return other == missed || before_.is_before(missed, other);
    };
    if (!is_missed(txn) || txn == missed || is_missed(o_.txns[txn].previous)) return {};
    Changes out;
    for (std::uint32_t r = o_.txns[txn].first_read; r < o_.txns[txn].read_end; ++r) {
      if (!is_missed(o_.reads[r].writer)) continue;
      TxnNumber latest = 0;
      for (const TxnNumber writer : o_.writers[o_.reads[r].key])
        if (!is_missed(writer) && rank_[writer] < rank_[txn] &&
            rank_[writer] > rank_[latest])
          latest = writer;
      if (latest == 0 && !o_.has_initial_value[o_.reads[r].key]) return {};
      out.push_back({r, latest});
    }
    return out;
  }

  // Strict: up to the read that changes.
  [[nodiscard]] bool is_read_in(std::uint32_t read, const Changes& changes) const {
    return !is_strict(options_.strategy) || read <= changes.front().read;
  }

  [[nodiscard]] bool is_write_in(const ObservedWrite& write, const Changes& changes) const {
    return !is_strict(options_.strategy) ||
           write.first < o_.reads[changes.front().read].position;
  }

  [[nodiscard]] View view_of(TxnNumber txn, const Changes& changes) const {
    View out{.txn = txn, .reads = {}, .writes = {}};
    const ObservedTxn& t = o_.txns[txn];
    auto change = changes.begin();
    for (std::uint32_t r = t.first_read; r < t.read_end && is_read_in(r, changes); ++r) {
      const bool is_changed = change != changes.end() && change->read == r;
      out.reads.emplace_back(o_.reads[r].key,
                             is_changed ? change->writer : o_.reads[r].writer);
      if (is_changed) ++change;
    }
    for (const ObservedWrite& write : t.writes)
      if (is_write_in(write, changes)) out.writes.push_back(write.key);
    return out;
  }

  // The level has u before w because of a read from w, and u happened after w.
  [[nodiscard]] bool is_stale(const View& view) const {
    if (!options_.level.built_in) return false;
    const check::Level level = *options_.level.built_in;
    TxnSet seen(o_.txns.size());
    const auto see = [&](TxnNumber txn) {
      seen.add(txn);
      if (level != check::Level::RC && level != check::Level::RA)
        seen.add(before_.before(txn));
    };
    if (level != check::Level::RC) {
      for (TxnNumber txn = o_.txns[view.txn].previous; txn != 0;
           txn = o_.txns[txn].previous)
        see(txn);
      for (const auto& [key, writer] : view.reads)
        see(writer);
    }
    for (const auto& [key, writer] : view.reads) {
      for (const TxnNumber other : o_.writers[key])
        if (other != view.txn && seen.contains(other) && before_.is_before(writer, other))
          return true;
      see(writer);
    }
    return false;
  }

  bool propose(const Others& others, const View& view, const Changes& changes) {
    if (!has_cycle(others, view)) return true;
    CandidateRun out = others.candidate();
    const ObservedTxn& txn = o_.txns[view.txn];
    out.is_in[view.txn] = true;
    for (std::uint32_t r = txn.first_read; r < txn.read_end; ++r)
      if (r - txn.first_read < view.reads.size())
        out.writer[r] = view.reads[r - txn.first_read].second;
    for (std::size_t i = 0; i < txn.writes.size(); ++i)
      out.writes[view.txn][i] = is_write_in(txn.writes[i], changes);
    out.boundary[txn.session] = o_.reads[changes.front().read].op;
    return visit_(out);
  }

  // Who is before the transaction in hand, and who behind, until nothing new follows.
  [[nodiscard]] bool has_cycle(const Others& others, const View& view) const {
    TxnSet before(o_.txns.size());
    TxnSet behind(o_.txns.size());
    bool has_changed = true;
    const auto add_before = [&](TxnNumber txn) {
      if (before.contains(txn)) return;
      others.add_before(txn, before);
      has_changed = true;
    };
    const auto add_behind = [&](TxnNumber txn) {
      if (behind.contains(txn)) return;
      others.add_behind(txn, behind);
      has_changed = true;
    };
    add_before(o_.txns[view.txn].previous);
    for (const auto& [key, writer] : view.reads)
      add_before(writer);
    while (has_changed && !before.meets(behind)) {
      has_changed = false;
      for (const auto& [key, writer] : view.reads)
        for (const TxnNumber other : o_.writers[key]) {
          if (other == writer || other == view.txn || !others.take_part(other)) continue;
          // If `other` is before as well, it is before the writer (ww): the same cycle.
          if (others.is_before(writer, other)) add_behind(other);  // rw
        }
      for (const KeyNumber key : view.writes)
        for (const std::uint32_t r : readers_[key]) {
          const ObservedRead& read = o_.reads[r];
          if (read.reader == view.txn || !others.take_part(read.reader)) continue;
          if (before.contains(read.writer)) add_before(read.reader);  // rw
          if (behind.contains(read.reader)) add_behind(read.writer);  // ww
        }
    }
    return before.meets(behind);
  }

  const Observed& o_;
  const TxnOrder& before_;
  const Options& options_;
  const std::vector<std::vector<TxnNumber>>& readable_;
  const std::function<bool(const CandidateRun&)>& visit_;
  std::vector<std::size_t> rank_;  // by transaction, in the observed order
  std::vector<std::vector<std::uint32_t>> readers_;  // by key: its reads
};

}  // namespace

void visit_nearby_runs(const ObservedRun& run, const Options& options,
                       const std::vector<std::vector<TxnNumber>>& readable,
                       const std::function<bool(const CandidateRun&)>& visit) {
  NearbyRuns(run, options, readable, visit).run();
}

}  // namespace isomer::predict
