// SPDX-License-Identifier: MIT
#include "predict/orders.h"

namespace isomer::predict {

TxnOrder TxnOrder::total(std::span<const TxnNumber> order, std::size_t size) {
  TxnOrder out(size);
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      out.bits_[order[i] * out.words_ + order[j] / 64] |= std::uint64_t{1}
                                                          << (order[j] % 64);
  return out;
}

std::optional<TxnOrder> TxnOrder::closure(
    const std::vector<std::vector<TxnNumber>>& directly_before) {
  const std::size_t size = directly_before.size();
  std::vector<std::vector<TxnNumber>> directly_after(size);
  std::vector<std::size_t> open(size, 0);  // edges from transactions that are not done
  for (TxnNumber b = 0; b < size; ++b)
    for (const TxnNumber a : directly_before[b]) {
      directly_after[a].push_back(b);
      ++open[b];
    }
  TxnOrder out(size);
  std::vector<TxnNumber> ready;
  for (TxnNumber txn = 0; txn < size; ++txn)
    if (open[txn] == 0) ready.push_back(txn);
  std::size_t done = 0;
  while (done < ready.size()) {
    const TxnNumber a = ready[done++];
    for (const TxnNumber b : directly_after[a]) {
      for (std::size_t i = 0; i < out.words_; ++i)
        out.bits_[b * out.words_ + i] |= out.bits_[a * out.words_ + i];
      out.bits_[b * out.words_ + a / 64] |= std::uint64_t{1} << (a % 64);
      if (--open[b] == 0) ready.push_back(b);
    }
  }
  if (done < size) return std::nullopt;
  return out;
}

TxnOrder TxnOrder::reversed() const {
  TxnOrder out(size_);
  for (TxnNumber b = 0; b < size_; ++b)
    for (TxnNumber a = 0; a < size_; ++a)
      if (is_before(a, b)) out.bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64);
  return out;
}

bool TxnOrder::add(TxnNumber a, TxnNumber b) {
  if (a == b || is_before(b, a)) return false;
  if (is_before(a, b)) return true;
  std::vector<std::uint64_t> added(
      bits_.begin() + static_cast<std::ptrdiff_t>(a * words_),
      bits_.begin() + static_cast<std::ptrdiff_t>((a + 1) * words_));
  added[a / 64] |= std::uint64_t{1} << (a % 64);
  for (TxnNumber t = 0; t < size_; ++t)
    if (t == b || is_before(b, t))
      for (std::size_t i = 0; i < words_; ++i)
        bits_[t * words_ + i] |= added[i];
  return true;
}

bool CandidateRun::is_writer(const Observed& observed, TxnNumber txn, KeyNumber key) const {
  const ObservedTxn& candidate = observed.txns[txn];
  const ObservedWrite* write = candidate.find_write(key);
  return write != nullptr &&
         writes[txn][static_cast<std::size_t>(write - candidate.writes.data())];
}

CandidateRun observed_candidate(const Observed& observed) {
  CandidateRun out;
  out.is_in.assign(observed.txns.size(), true);
  for (const ObservedTxn& txn : observed.txns)
    out.writes.emplace_back(txn.writes.size(), true);
  for (const ObservedRead& read : observed.reads)
    out.writer.emplace_back(read.writer);
  return out;
}

std::optional<TxnOrder> pco(const Observed& observed, const CandidateRun& candidate,
                            const Budget& budget) {
  std::vector<std::vector<TxnNumber>> edges(observed.txns.size());
  for (TxnNumber txn = 1; txn < observed.txns.size(); ++txn)
    edges[txn].push_back(observed.txns[txn].previous);
  for (std::size_t r = 0; r < observed.reads.size(); ++r)
    if (candidate.writer[r])
      edges[observed.reads[r].reader].push_back(*candidate.writer[r]);
  std::optional<TxnOrder> out = TxnOrder::closure(edges);
  if (!out) return std::nullopt;
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (std::size_t r = 0; r < observed.reads.size(); ++r) {
      if (budget.is_exhausted()) return out;
      if (!candidate.writer[r]) continue;
      const ObservedRead& read = observed.reads[r];
      const TxnNumber writer = *candidate.writer[r];
      const auto add = [&](TxnNumber first, TxnNumber second) {
        if (out->is_before(first, second)) return true;
        has_changed = true;
        return out->add(first, second);
      };
      for (const TxnNumber other : observed.writers[read.key]) {
        if (other == writer || other == read.reader ||
            !candidate.is_writer(observed, other, read.key))
          continue;
        if (out->is_before(other, read.reader) && !add(other, writer)) return std::nullopt;
        if (out->is_before(writer, other) && !add(read.reader, other)) return std::nullopt;
      }
    }
  }
  return out;
}

std::vector<Bit> lesson(Circuit& circuit, const Observed& observed,
                        const Feasible& feasible, const TxnOrder& order) {
  std::vector<Bit> out;
  for (std::size_t r = 0; r < observed.reads.size(); ++r) {
    const ObservedRead& read = observed.reads[r];
    for (const Choice& choice : feasible.reads_from[r]) {
      const TxnNumber writer = choice.writer;
      if (!order.is_before(writer, read.reader)) {
        out.push_back(choice.bit);
        continue;
      }
      std::vector<Bit> disturbers;
      for (const TxnNumber other : observed.writers[read.key]) {
        if (other == writer || other == read.reader) continue;
        const bool fits =
            (!order.is_before(other, read.reader) || order.is_before(other, writer)) &&
            (!order.is_before(writer, other) || order.is_before(read.reader, other));
        if (!fits) disturbers.push_back(feasible.is_writer(observed, other, read.key));
      }
      out.push_back(circuit.both(choice.bit, circuit.any(disturbers)));
    }
  }
  std::erase(out, logic::false_bit);
  return out;
}

}  // namespace isomer::predict
