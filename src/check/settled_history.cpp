// SPDX-License-Identifier: MIT
#include "check/settled_history.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace isomer::check {

using history::History;
using history::init;
using history::KeyId;
using history::SessionId;
using history::Status;
using history::TxnId;

std::span<const history::Read> SettledHistory::reads(TxnId t) const {
  if (history.status(t) != Status::Committed) return {};
  return history.reads(t);
}

WriterPositions::WriterPositions(const SettledHistory& ordered) {
  const History& h = ordered.history;
  first_.assign(h.key_count() + 1, 0);
  for (const TxnId t : ordered.order)
    for (const KeyId x : h.writes(t))
      ++first_[x.index + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  positions_.resize(first_.back());
  std::vector<std::uint64_t> next(first_.begin(), first_.end() - 1);
  for (const TxnId t : ordered.order)
    for (const KeyId x : h.writes(t))
      positions_[next[x.index]++] = ordered.position(t);
}

std::vector<TxnId> session_predecessors(const SettledHistory& ordered) {
  const History& h = ordered.history;
  std::vector<TxnId> predecessors(h.txn_count(), init);
  for (SessionId s{0}; s.index < h.session_count(); ++s.index) {
    TxnId last = init;
    for (TxnId t = h.first_txn(s); t < h.end_txn(s); ++t.index) {
      predecessors[t.index] = last;
      if (ordered.took_effect(t)) last = t;
    }
  }
  return predecessors;
}

TxnId latest_writer_in_session(const SettledHistory& ordered, KeyId x, SessionId s,
                               TxnId limit) {
  const auto writers = ordered.history.writers(x);
  auto after = std::upper_bound(writers.begin(), writers.end(), limit);
  while (after != writers.begin() && *std::prev(after) >= ordered.history.first_txn(s)) {
    --after;
    if (ordered.took_effect(*after)) return *after;
  }
  return init;
}

std::string text(const SettledHistory& ordered, Level level, const AxiomFailure& failure) {
  const History& h = ordered.history;
  return fmt::format(
      "{}: {} read {} from {}, although it saw {}, which wrote {} too and commits later",
      info(level).name, h.txn_name(failure.t3), h.key_name(failure.x),
      h.txn_name(failure.t1), h.txn_name(failure.t2), h.key_name(failure.x));
}

}  // namespace isomer::check
