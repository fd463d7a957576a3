// SPDX-License-Identifier: MIT
// The order of the replay is that of the authors' program: first the transactions whose
// reads are as observed, in an order that explains the observed run, then those with
// changed reads; but each behind those it reads from and those before it in its session.
//
// A transaction that was rolled back in the observed run is no part of the prediction, but
// the application will try it again.  It reads what it read then, where it can: it was
// feasible that it is rolled back, and with the latest versions it might commit and explain
// what was predicted.  For that, the transaction behind it waits for those that the tried
// one reads from, unless they wait for it.  It is matched by its call, so if it commits all
// the same, that is a divergence and nothing else: the next transaction of its session
// still has its own part of the prediction.  (In the authors' program it takes that part,
// which caused two of their three failed validations.)
#include "predict/validate.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/assert.h"
#include "check/uncertified.h"
#include "store/campaign.h"
#include "store/script.h"

namespace isomer::predict {
namespace {

// What was found is worth a moment more than the time given.
constexpr double replay_seconds = 30;
constexpr double last_seconds = 0.5;

using store::Place;

constexpr std::array<std::string_view, 4> validities = {"validated", "diverged", "refuted",
                                                        "unknown"};

// The name of a transaction without the number that tells it from its namesakes: "vote(1)"
// of "vote(1) #2".
std::string_view call_in(std::string_view name) {
  const std::size_t mark = name.rfind(" #");
  return mark == std::string_view::npos ? name : name.substr(0, mark);
}

// The call of each transaction of a session by name; empty if the names do not say it.
std::vector<std::uint32_t> calls_by_name(const program::Session& session,
                                         const History& observed, SessionId s) {
  std::vector<std::uint32_t> out;
  std::uint32_t next = 0;
  for (TxnId t = observed.first_txn(s); t < observed.end_txn(s); ++t.index) {
    const std::string name = observed.txn_name(t);
    while (next < session.calls.size() && session.calls[next].text != call_in(name))
      ++next;
    if (!observed.has_own_name(t) || next == session.calls.size()) return {};
    out.push_back(next++);
  }
  return out;
}

// The calls of a session between a transaction and the one before it that committed.
std::vector<TxnId> tried_before(const History& observed, TxnId t) {
  std::vector<TxnId> out;
  for (TxnId tried{t.index - 1};
       observed.so(tried, t) && observed.status(tried) == history::Status::Aborted;
       --tried.index)
    out.push_back(tried);
  return out;
}

// Every transaction behind those it depends on; of those that may be next, one whose tries
// find what they read, one whose reads are as observed, the first in `rank`.
class ReplayOrder {
 public:
  ReplayOrder(const Prediction& prediction, const History& observed,
              const std::vector<std::size_t>& rank)
      : history_(prediction.history), prediction_(prediction), rank_(rank) {
    for (const ChangedRead& read : prediction.changed)
      changed_.insert(read.reader);
    find_tried_writers(observed);
  }

  std::vector<TxnId> order() {
    std::vector<bool> is_done(history_.txn_count(), false);
    is_done[0] = true;
    std::vector<TxnId> out;
    while (out.size() + 1 < history_.txn_count()) {
      TxnId best = TxnId::none();
      for (TxnId t{1}; t.index < history_.txn_count(); ++t.index)
        if (!is_done[t.index] && is_ready(t, is_done) &&
            (best.is_none() || priority(t, is_done) < priority(best, is_done)))
          best = t;
      ISOMER_ASSERT(!best.is_none());
      is_done[best.index] = true;
      out.push_back(best);
    }
    return out;
  }

 private:
  [[nodiscard]] bool is_ready(TxnId t, const std::vector<bool>& is_done) const {
    const TxnId previous{t.index - 1};
    if (history_.so(previous, t) && !is_done[previous.index]) return false;
    return std::ranges::all_of(history_.reads(t), [&](const history::Read& read) {
      return is_done[read.writer.index];
    });
  }

  void find_tried_writers(const History& observed) {
    std::map<TxnId, TxnId> predicted;  // by observed transaction
    for (TxnId t{0}; t.index < history_.txn_count(); ++t.index)
      predicted.emplace(prediction_.origin[t.index], t);
    tried_writers_.resize(history_.txn_count());
    for (TxnId t{1}; t.index < history_.txn_count(); ++t.index)
      for (const TxnId tried : tried_before(observed, prediction_.origin[t.index]))
        for (const store::KnownRead& read : store::known_reads(observed, tried))
          if (const auto writer = predicted.find(read.writer); writer != predicted.end())
            tried_writers_[t.index].push_back(writer->second);
  }

  using Priority = std::tuple<bool, bool, std::size_t>;

  [[nodiscard]] Priority priority(TxnId t, const std::vector<bool>& is_done) const {
    const TxnId origin = prediction_.origin[t.index];
    const bool misses_writer = std::ranges::any_of(
        tried_writers_[t.index], [&](TxnId writer) { return !is_done[writer.index]; });
    return {misses_writer, changed_.contains(origin), rank_[origin.index]};
  }

  const History& history_;
  const Prediction& prediction_;
  const std::vector<std::size_t>& rank_;  // by transaction of the observed history
  std::set<TxnId> changed_;
  // By transaction: whom those read from that are tried before it.
  std::vector<std::vector<TxnId>> tried_writers_;
};

// The places of the observed transactions in an order that explains them; as they are
// numbered if there is none.
std::vector<std::size_t> serial_rank(const History& observed, const Budget& budget) {
  std::vector<std::size_t> out(observed.txn_count());
  for (std::size_t t = 0; t < out.size(); ++t)
    out[t] = t;
  const check::Verdict verdict =
      check::uncertified_verdict(observed, check::Level::SER, budget);
  if (const auto* found = std::get_if<check::Consistent>(&verdict))
    for (std::size_t i = 0; i < found->commit_order.size(); ++i)
      out[found->commit_order[i].index] = i;
  return out;
}

// What those that were rolled back had read.
std::map<Place, std::vector<store::ScriptedRead>> tries_of(const Replay& replay) {
  std::map<Place, std::vector<store::ScriptedRead>> out;
  const History& observed = replay.observed;
  for (TxnId t{1}; t.index < observed.txn_count(); ++t.index) {
    if (observed.status(t) != history::Status::Aborted) continue;
    std::vector<store::ScriptedRead>& reads = out[replay.calls[t.index]];
    for (const store::KnownRead& read : store::known_reads(observed, t)) {
      if (read.writer.is_none()) continue;
      const bool is_initial = read.writer == history::init;
      reads.push_back(
          {observed.key_name(read.key),
           is_initial ? std::nullopt : std::optional(replay.calls[read.writer.index])});
    }
  }
  return out;
}

store::ScriptedCalls scripted_calls(const Prediction& prediction, const Replay& replay,
                                    const Budget& budget) {
  store::ScriptedCalls out;
  for (TxnId t{0}; t.index < prediction.history.txn_count(); ++t.index) {
    const TxnId origin = prediction.origin[t.index];
    out.calls.push_back(replay.calls[origin.index]);
    out.is_cut.push_back(prediction.history.operations(t).size() <
                         replay.observed.operations(origin).size());
  }
  out.order = ReplayOrder(prediction, replay.observed, serial_rank(replay.observed, budget))
                  .order();
  out.tries = tries_of(replay);
  return out;
}

Validity validity_of(const store::Run& run, const Budget& budget) {
  if (!run.unknown.empty()) return Validity::Unknown;
  const std::optional<bool> is_serializable = store::is_serializable(run, budget);
  if (!is_serializable) return Validity::Unknown;
  if (*is_serializable) return Validity::Refuted;
  return run.divergence ? Validity::Diverged : Validity::Validated;
}

}  // namespace

std::string_view name(Validity validity) {
  return validities.at(static_cast<std::size_t>(validity));
}

tl::expected<Calls, std::string> calls_of(const program::Program& program,
                                          const History& observed) {
  const auto sessions = store::sessions_of(program, observed);
  if (!sessions) return tl::unexpected(sessions.error());
  Calls out{Place{}};
  for (SessionId s{0}; s.index < observed.session_count(); ++s.index) {
    const program::Session& session = program.sessions[(*sessions)[s.index]];
    const std::uint32_t count = observed.end_txn(s).index - observed.first_txn(s).index;
    if (count > session.calls.size())
      return tl::unexpected(
          fmt::format("session '{}' has {} transactions, that of the program only {} calls",
                      observed.session_name(s), count, session.calls.size()));
    const std::vector<std::uint32_t> named = calls_by_name(session, observed, s);
    for (std::uint32_t i = 0; i < count; ++i)
      out.emplace_back((*sessions)[s.index], named.empty() ? i : named[i]);
  }
  return out;
}

Validation validate(const Prediction& prediction, const Replay& replay,
                    const check::AskedLevel& level, const Budget& search) {
  const Budget budget = search.is_exhausted() ? search.last_moment(last_seconds)
                                              : search.within(replay_seconds);
  const store::ScriptedCalls calls = scripted_calls(prediction, replay, budget);
  Validation out;
  out.run = replay.store.run({.policy = store::Policy::Script,
                              .level = level,
                              .script = &prediction.history,
                              .scripted_calls = &calls,
                              .granularity = replay.granularity,
                              .budget = budget});
  out.validity = validity_of(out.run, budget);
  return out;
}

}  // namespace isomer::predict
