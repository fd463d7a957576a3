// SPDX-License-Identifier: MIT
#include "predict/lazy_level.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::predict {
namespace {

using check::Edge;
using check::EdgeKind;

// Each transaction's next ones in the order: no other is between.
std::vector<std::vector<TxnNumber>> next_ones(const TxnOrder& before) {
  const auto size = static_cast<TxnNumber>(before.size());
  std::vector<std::vector<TxnNumber>> out(size);
  for (TxnNumber a = 0; a < size; ++a) {
    std::vector<TxnNumber> after;
    for (TxnNumber b = 0; b < size; ++b)
      if (before.is_before(a, b)) after.push_back(b);
    for (const TxnNumber b : after)
      if (std::ranges::none_of(after, [&](TxnNumber c) { return before.is_before(c, b); }))
        out[a].push_back(b);
  }
  return out;
}

// Each before those that are behind it.
std::vector<TxnNumber> sorted(const TxnOrder& before) {
  std::vector<std::pair<std::size_t, TxnNumber>> ranked;
  for (TxnNumber txn = 0; txn < before.size(); ++txn) {
    std::size_t rank = 0;
    for (TxnNumber other = 0; other < before.size(); ++other)
      rank += before.is_before(other, txn) ? 1 : 0;
    ranked.emplace_back(rank, txn);
  }
  std::ranges::sort(ranked);
  std::vector<TxnNumber> out;
  for (const auto& [rank, txn] : ranked)
    out.push_back(txn);
  return out;
}

class StaleReads {
 public:
  StaleReads(Circuit& circuit, const Observed& observed, const Feasible& feasible,
             const TxnOrder& before, check::Level level)
      : circuit_(circuit),
        o_(observed),
        f_(feasible),
        before_(before),
        next_(next_ones(before)),
        sorted_(sorted(before)),
        level_(level) {}

  std::vector<Bit> run() {
    for (TxnNumber txn = 1; txn < o_.txns.size() && !circuit_.is_exhausted(); ++txn) {
      sees_.assign(o_.txns.size(), logic::false_bit);
      if (level_ != check::Level::RC) {
        for (TxnNumber before = o_.txns[txn].previous; before != 0;
             before = o_.txns[before].previous)
          sees_[before] = logic::true_bit;
        for (std::uint32_t r = o_.txns[txn].first_read; r < o_.txns[txn].read_end; ++r)
          see(r);
        if (level_ != check::Level::RA) see_through();
      }
      for (std::uint32_t r = o_.txns[txn].first_read; r < o_.txns[txn].read_end; ++r) {
        forbid(r);
        if (level_ == check::Level::RC) see(r);
      }
    }
    return std::move(out_);
  }

 private:
  void see(std::uint32_t r) {
    for (const Choice& choice : f_.reads_from[r])
      sees_[choice.writer] = circuit_.either(sees_[choice.writer], choice.bit);
  }

  void see_through() {
    for (std::size_t i = sorted_.size(); i-- > 0;) {
      std::vector<Bit> inputs{sees_[sorted_[i]]};
      for (const TxnNumber next : next_[sorted_[i]])
        inputs.push_back(sees_[next]);
      sees_[sorted_[i]] = circuit_.any(inputs);
    }
  }

  void forbid(std::uint32_t r) {
    const ObservedRead& read = o_.reads[r];
    for (const Choice& choice : f_.reads_from[r]) {
      if (choice.writer == read.writer) continue;
      for (const TxnNumber other : o_.writers[read.key])
        if (other != read.reader && before_.is_before(choice.writer, other) &&
            is_first(choice.writer, other, read.key))
          out_.push_back(circuit_.implies(choice.bit, ~sees_[other]));
    }
  }

  // Who happens before t has seen all that happened before itself, so of the writers behind
  // `writer` the first ones are enough, unless only direct edges count.
  [[nodiscard]] bool is_first(TxnNumber writer, TxnNumber other, KeyNumber key) const {
    if (level_ == check::Level::RC || level_ == check::Level::RA) return true;
    return std::ranges::none_of(o_.writers[key], [&](TxnNumber between) {
      return before_.is_before(writer, between) && before_.is_before(between, other);
    });
  }

  Circuit& circuit_;
  const Observed& o_;
  const Feasible& f_;
  const TxnOrder& before_;
  std::vector<std::vector<TxnNumber>> next_;
  std::vector<TxnNumber> sorted_;
  check::Level level_;
  std::vector<Bit> sees_;  // by transaction: comes before the one in hand, as far as read
  std::vector<Bit> out_;
};

class Support {
 public:
  Support(const Observed& observed, const Feasible& feasible, const CandidateRun& candidate,
          const std::vector<TxnNumber>& numbers)
      : o_(observed), f_(feasible), c_(candidate), numbers_(numbers) {}

  std::vector<Bit> run(const check::Violated& violation) {
    if (violation.cycle.empty())
      for (const history::TxnId txn : violation.transactions)
        add_all(numbers_[txn.index]);
    else
      add(violation.cycle);
    std::ranges::sort(out_);
    const auto rest = std::ranges::unique(out_);
    out_.erase(rest.begin(), rest.end());
    return std::move(out_);
  }

 private:
  void add(const std::vector<Edge>& edges) {
    for (const Edge& edge : edges) {
      const TxnNumber from = numbers_[edge.from.index];
      const TxnNumber to = numbers_[edge.to.index];
      switch (edge.kind) {
        case EdgeKind::So:
          add_txn(from);
          add_txn(to);
          break;
        case EdgeKind::Wr:
          add_reads(from, to, edge.key);
          break;
        case EdgeKind::Ww:
          add_write(from, edge.key);
          add_write(to, edge.key);
          if (edge.via != history::TxnId::none())
            add_reads(to, numbers_[edge.via.index], edge.key);
          break;
        case EdgeKind::Rw:
          add_reads(numbers_[edge.via.index], from, edge.key);
          add_write(to, edge.key);
          break;
      }
      add(edge.because);
    }
  }

  void add_txn(TxnNumber txn) {
    if (txn != 0) out_.push_back(~f_.is_in[txn]);
  }

  void add_write(TxnNumber txn, history::KeyId key) {
    if (txn != 0) out_.push_back(~f_.is_writer(o_, txn, key.index));
  }

  void add_reads(TxnNumber writer, TxnNumber reader, history::KeyId key) {
    add_txn(reader);
    for (std::uint32_t r = o_.txns[reader].first_read; r < o_.txns[reader].read_end; ++r)
      if (o_.reads[r].key == key.index && c_.writer[r] == writer) add_choice(r);
  }

  void add_choice(std::uint32_t r) {
    for (const Choice& choice : f_.reads_from[r])
      if (choice.writer == *c_.writer[r]) out_.push_back(~choice.bit);
  }

  void add_all(TxnNumber txn) {
    add_txn(txn);
    for (std::uint32_t r = o_.txns[txn].first_read; r < o_.txns[txn].read_end; ++r)
      if (c_.writer[r]) add_choice(r);
    if (txn == 0) return;
    for (std::size_t i = 0; i < o_.txns[txn].writes.size(); ++i)
      if (c_.writes[txn][i]) out_.push_back(~f_.writes[txn][i]);
  }

  const Observed& o_;
  const Feasible& f_;
  const CandidateRun& c_;
  const std::vector<TxnNumber>& numbers_;
  std::vector<Bit> out_;
};

}  // namespace

std::optional<TxnOrder> happens_before(const Observed& observed) {
  std::vector<std::vector<TxnNumber>> edges(observed.txns.size());
  for (TxnNumber txn = 1; txn < observed.txns.size(); ++txn)
    edges[txn].push_back(observed.txns[txn].previous);
  for (const ObservedRead& read : observed.reads)
    edges[read.reader].push_back(read.writer);
  return TxnOrder::closure(edges);
}

void remove_overwritten(const Observed& observed, const TxnOrder& before,
                        check::Level level, std::vector<std::vector<TxnNumber>>& readable,
                        const Budget& budget) {
  if (level == check::Level::RC) return;
  for (std::size_t r = 0; r < observed.reads.size() && !budget.is_exhausted(); ++r) {
    const ObservedRead& read = observed.reads[r];
    const TxnNumber previous = observed.txns[read.reader].previous;
    const std::uint32_t session = observed.txns[read.reader].session;
    std::erase_if(readable[r], [&](TxnNumber writer) {
      return std::ranges::any_of(observed.writers[read.key], [&](TxnNumber other) {
        if (!before.is_before(writer, other)) return false;
        if (other != previous && !before.is_before(other, previous)) return false;
        return level != check::Level::RA || observed.txns[other].session == session;
      });
    });
  }
}

std::vector<Bit> forbid_stale_reads(Circuit& circuit, const Observed& observed,
                                    const Feasible& feasible, const TxnOrder& before,
                                    check::Level level) {
  return StaleReads(circuit, observed, feasible, before, level).run();
}

std::vector<Bit> violation_lesson(const Observed& observed, const Feasible& feasible,
                                  const CandidateRun& candidate,
                                  const check::Violated& violation,
                                  const std::vector<TxnNumber>& numbers) {
  return Support(observed, feasible, candidate, numbers).run(violation);
}

}  // namespace isomer::predict
