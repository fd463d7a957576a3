// SPDX-License-Identifier: MIT
// Most candidates are explained by an order that extends pco; only for the others the
// checkers are asked, about a history that has nothing but what can matter: transactions
// that take part, what they wrote and whom they read from.
#include "predict/judge.h"

#include <algorithm>
#include <bit>

#include "history/builder.h"

namespace isomer::predict {
namespace {

struct BareHistory {
  History history;
  std::vector<TxnNumber> numbers{0};  // by transaction
};

// The value of a write is the number of its transaction.
BareHistory bare_history(const Observed& observed, const CandidateRun& candidate) {
  BareHistory out;
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  std::vector<history::KeyId> keys;
  for (KeyNumber key = 0; key < observed.keys.size(); ++key)
    keys.push_back(builder.key(static_cast<std::int64_t>(key)));
  for (TxnNumber number = 1; number < observed.txns.size(); ++number) {
    if (!candidate.is_in[number]) continue;
    const ObservedTxn& txn = observed.txns[number];
    const auto token =
        builder.begin(builder.session(static_cast<std::int64_t>(txn.session)));
    out.numbers.push_back(number);
    for (std::uint32_t r = txn.first_read; r < txn.read_end; ++r)
      if (candidate.writer[r])
        builder.read(token, keys[observed.reads[r].key],
                     history::Value::integer(*candidate.writer[r]));
    for (std::size_t i = 0; i < txn.writes.size(); ++i)
      if (candidate.writes[number][i])
        builder.write(token, keys[txn.writes[i].key], history::Value::integer(number));
  }
  out.history = builder.build();
  return out;
}

// Each read that takes part reads the last version before it.
bool fits(const Observed& observed, const CandidateRun& candidate, const TxnOrder& order) {
  for (std::size_t r = 0; r < observed.reads.size(); ++r) {
    if (!candidate.writer[r]) continue;
    const ObservedRead& read = observed.reads[r];
    const TxnNumber writer = *candidate.writer[r];
    if (!order.is_before(writer, read.reader)) return false;
    for (const TxnNumber other : observed.writers[read.key])
      if (other != writer && other != read.reader &&
          candidate.is_writer(observed, other, read.key) &&
          order.is_before(writer, other) && order.is_before(other, read.reader))
        return false;
  }
  return true;
}

// Those of `preferred` first that can be first.
std::vector<TxnNumber> extension(const TxnOrder& partial,
                                 const std::vector<TxnNumber>& preferred) {
  const auto size = static_cast<TxnNumber>(preferred.size());
  std::vector<int> open(size, 0);  // before it, and not yet placed; -1: it is
  for (TxnNumber txn = 0; txn < size; ++txn)
    for (const std::uint64_t word : partial.before(txn))
      open[txn] += std::popcount(word);
  std::vector<TxnNumber> out;
  for (std::size_t first = 0; first < size;) {
    std::size_t next = first;
    while (open[preferred[next]] != 0)
      ++next;
    const TxnNumber txn = preferred[next];
    out.push_back(txn);
    open[txn] = -1;
    for (TxnNumber other = 0; other < size; ++other)
      if (partial.is_before(txn, other)) --open[other];
    while (first < size && open[preferred[first]] == -1)
      ++first;
  }
  return out;
}

// The order that a checker found, and those that take no part behind it.
std::vector<TxnNumber> completed(const check::Consistent& witness, const BareHistory& bare,
                                 const CandidateRun& candidate,
                                 const std::vector<TxnNumber>& preferred) {
  std::vector<TxnNumber> out;
  for (const TxnId txn : witness.commit_order)
    out.push_back(bare.numbers[txn.index]);
  for (const TxnNumber txn : preferred)
    if (!candidate.is_in[txn]) out.push_back(txn);
  return out;
}

check::Verdict verdict(const History& history, const check::AskedLevel& level, bool explain,
                       const Budget& budget) {
  return check::check(history, {.levels = {level}, .budget = budget, .explain = explain})
      .levels.front()
      .verdict;
}

std::vector<TxnNumber> as_numbered(std::size_t size) {
  std::vector<TxnNumber> out(size);
  for (TxnNumber txn = 0; txn < size; ++txn)
    out[txn] = txn;
  return out;
}

}  // namespace

Judge::Judge(const Observed& observed, const Options& options)
    : observed_(observed), options_(options) {
  const CandidateRun all = observed_candidate(observed);
  const BareHistory bare = bare_history(observed, all);
  const check::Verdict found =
      verdict(bare.history, check::Level::SER, false, options.budget);
  if (const auto* unknown = std::get_if<check::Unknown>(&found)) unknown_ = unknown->reason;
  if (const auto* witness = std::get_if<check::Consistent>(&found))
    observed_order_ = completed(*witness, bare, all, {});
}

Judgement Judge::judge(const CandidateRun& candidate, Asks asks,
                       const Budget& budget) const {
  const std::optional<TxnOrder> partial = pco(observed_, candidate, budget);
  if (!partial) return allowed(candidate, asks, budget);
  const std::size_t size = observed_.txns.size();
  const std::vector<TxnNumber> preferred = observed_order_.value_or(as_numbered(size));
  const TxnOrder order = TxnOrder::total(extension(*partial, preferred), size);
  if (fits(observed_, candidate, order)) return Explained{order};
  const BareHistory bare = bare_history(observed_, candidate);
  const check::Verdict found = verdict(bare.history, check::Level::SER, false, budget);
  if (const auto* witness = std::get_if<check::Consistent>(&found))
    return Explained{
        TxnOrder::total(completed(*witness, bare, candidate, preferred), size)};
  if (!is_exact(options_.strategy)) return Explained{*partial};
  if (const auto* unknown = std::get_if<check::Unknown>(&found))
    return Undecided{unknown->reason};
  return allowed(candidate, asks, budget);
}

Judgement Judge::allowed(const CandidateRun& candidate, Asks asks,
                         const Budget& budget) const {
  if (asks == Asks::Told) return Unexplained{};
  BareHistory bare = bare_history(observed_, candidate);
  check::Verdict found = verdict(bare.history, options_.level, asks == Asks::Fully, budget);
  if (std::holds_alternative<check::Consistent>(found)) return Unexplained{};
  if (const auto* unknown = std::get_if<check::Unknown>(&found))
    return Undecided{unknown->reason};
  return Forbidden{std::move(std::get<check::Violated>(found)), std::move(bare.numbers)};
}

}  // namespace isomer::predict
