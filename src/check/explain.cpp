// SPDX-License-Identifier: MIT
#include "check/explain.h"

#include <algorithm>

#include "base/assert.h"
#include "check/order_graph.h"
#include "check/weak.h"

namespace isomer::check {
namespace {

using history::ProblemKind;

bool is_all(const std::vector<Edge>& cycle, std::initializer_list<EdgeKind> kinds) {
  return std::all_of(cycle.begin(), cycle.end(), [&](const Edge& e) {
    return std::find(kinds.begin(), kinds.end(), e.kind) != kinds.end();
  });
}

const Edge* find_rw(const std::vector<Edge>& cycle) {
  const auto found = std::find_if(cycle.begin(), cycle.end(),
                                  [](const Edge& e) { return e.kind == EdgeKind::Rw; });
  return found == cycle.end() ? nullptr : &*found;
}

// The reader of the rw edge read the key from a second writer too.
bool reads_key_twice(const ResolvedHistory& in, const Edge& rw) {
  const auto reads = in.reads(rw.from);
  return std::any_of(reads.begin(), reads.end(), [&](const Read& read) {
    return read.key == rw.key && read.writer != rw.via;
  });
}

// Without any rw: information flows in a circle, or versions do.
Anomaly name_circle(const std::vector<Edge>& cycle) {
  if (is_all(cycle, {EdgeKind::Ww, EdgeKind::So}))
    return {"dirty write",
            "The writes of these transactions are interleaved: on one key one came "
            "first, on another key the other."};
  return {
      "circular information flow",
      "Each of these transactions depends on what another of them did; none can be first."};
}

Anomaly name_read_committed(const ResolvedHistory& in, const std::vector<Edge>& cycle) {
  const Edge* rw = find_rw(cycle);
  if (rw == nullptr) return name_circle(cycle);
  if (reads_key_twice(in, *rw))
    return {"non-monotonic read",
            "Within one transaction, a later read returned an older version than an "
            "earlier one."};
  return {"fractured read",
          "Having read from a transaction, it then read an older version of something that "
          "transaction also wrote."};
}

Anomaly name_read_atomic(const ResolvedHistory& in, const std::vector<Edge>& cycle) {
  const Edge* rw = find_rw(cycle);
  if (rw == nullptr) return name_circle(cycle);
  if (std::any_of(cycle.begin(), cycle.end(),
                  [](const Edge& e) { return e.kind == EdgeKind::So; }))
    return {"read-your-writes violation",
            "A transaction did not see what its own session had written before."};
  if (reads_key_twice(in, *rw))
    return {"non-repeatable read",
            "One transaction read one key twice, from different writers."};
  return {"fractured read",
          "One transaction saw some of another's writes, but not all of them."};
}

Anomaly name_causal(const std::vector<Edge>& cycle) {
  if (find_rw(cycle) == nullptr) return name_circle(cycle);
  std::vector<EdgeKind> path;
  for (const Edge& e : cycle)
    if (e.kind != EdgeKind::Rw) path.push_back(e.kind);
  using enum EdgeKind;
  if (path == std::vector{Wr, So})
    return {"causality violation",
            "A session read a version, and later an older one (monotonic reads)."};
  if (path == std::vector{So, Wr})
    return {"causality violation",
            "A session's writes were seen out of order (monotonic writes)."};
  if (path == std::vector{Wr, So, Wr})
    return {"causality violation",
            "A write was seen without the one its session had read before (writes follow "
            "reads)."};
  return {"causality violation", "A transaction saw an effect, but not what caused it."};
}

// Two transactions that read one version of a key and both replaced it.
bool is_lost_update(const ResolvedHistory& in) {
  for (std::uint32_t t = 1; t < in.txn_count(); ++t)
    for (std::uint32_t u = t + 1; u < in.txn_count(); ++u)
      for (const Read& a : in.reads({t}))
        for (const Read& b : in.reads({u}))
          if (a.key == b.key && a.writer == b.writer && in.is_writer({t}, a.key) &&
              in.is_writer({u}, a.key))
            return true;
  return false;
}

Anomaly name_conflict(const ResolvedHistory* in) {
  if (in == nullptr || is_lost_update(*in))
    return {"lost update",
            "In no order of these does each see the one before it: an update "
            "that was based on a stale value overwrote another."};
  return {"write conflict",
          "Two of these write the same key, so one has to see the other; in either order "
          "it did "
          "not."};
}

Anomaly name_serial(const ResolvedHistory* in, const std::vector<Edge>& cycle) {
  const Anomaly other{"serialization anomaly",
                      "No serial order of these transactions explains what they read."};
  if (in == nullptr) return other;
  bool has_read_only = false;
  for (std::uint32_t t = 1; t < in->txn_count(); ++t)
    has_read_only |= in->writes({t}).empty();
  if (has_read_only && in->txn_count() == 4)
    return {"read-only anomaly",
            "The two writers alone are serializable; what the read-only transaction saw is "
            "not."};
  if (!cycle.empty() && is_all(cycle, {EdgeKind::Rw}))
    return {"write skew",
            "Each of these read what another then overwrote, and wrote something "
            "else; no serial order has both."};
  return other;
}

}  // namespace

Anomaly name_anomaly(Level weakest, const ResolvedHistory* in,
                     const std::vector<Edge>& cycle) {
  switch (weakest) {
    case Level::RC:
      if (in != nullptr && !cycle.empty()) return name_read_committed(*in, cycle);
      return {"read committed violation", "No choice of writers explains these reads."};
    case Level::RA:
      if (in != nullptr && !cycle.empty()) return name_read_atomic(*in, cycle);
      return {"fractured read",
              "However the reads are explained, a transaction saw part of another."};
    case Level::CC:
      if (in != nullptr && !cycle.empty()) return name_causal(cycle);
      return {"causality violation",
              "However the reads are explained, an effect was seen without its cause."};
    case Level::PC:
      return {"long fork", "Two transactions saw independent writes in opposite orders."};
    case Level::PSI:
      return name_conflict(in);
    case Level::SI:
      return {"snapshot violation",
              "Each has a snapshot, and no update is lost, but not both at once."};
    case Level::SER:
      return name_serial(in, cycle);
  }
  return {};
}

Anomaly name_problem(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::ThinAir:
      return {"thin-air read", "A value was read that nobody wrote."};
    case ProblemKind::AbortedRead:
      return {"aborted read",
              "A value was read that only an aborted transaction wrote (G1a)."};
    case ProblemKind::IntermediateRead:
      return {"intermediate read",
              "A value was read that its writer overwrote before it committed (G1b)."};
    case ProblemKind::FutureRead:
      return {"future read", "A transaction read a value that it wrote only later."};
    case ProblemKind::NotOwnLastWrite:
      return {"not the own last write",
              "A transaction read an own write that it had already overwritten."};
    case ProblemKind::OwnWriteIgnored:
      return {"own write ignored",
              "After writing a key, a transaction read another value of it."};
    case ProblemKind::IncompatibleOrder:
      return {"incompatible order",
              "Two reads of one list disagree about the order of its elements."};
    case ProblemKind::DuplicateElement:
      return {"duplicate element", "A list has an element twice that was appended once."};
  }
  return {};
}

namespace {

// Drops transactions one at a time while the rest stays inconsistent.  Each decision names
// a support that is often much smaller than what it was asked about, so few rounds are
// needed.
class Minimizer {
 public:
  Minimizer(const History& h, Level level, const Budget& budget)
      : h_(h), level_(level), budget_(budget) {}

  bool minimize(std::vector<TxnId>& core) {
    while (true) {
      const Decision decision = decide(Selection(h_, core), level_, {budget_});
      if (decision.kind == Decision::Kind::Unknown) return false;
      ISOMER_ASSERT(decision.kind == Decision::Kind::Violated);
      if (decision.support.size() >= core.size()) break;
      core = decision.support;
    }
    for (std::size_t i = core.size(); i-- > 0;) {
      std::vector<TxnId> rest = core;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      const Decision decision = decide(Selection(h_, rest), level_, {budget_});
      if (decision.kind == Decision::Kind::Unknown) return false;
      if (decision.kind == Decision::Kind::Allowed) continue;
      // What lies behind i was needed before, and so is still: only smaller indices remain.
      const TxnId tried = core[i];
      core = decision.support;
      i = static_cast<std::size_t>(std::lower_bound(core.begin(), core.end(), tried) -
                                   core.begin());
    }
    return true;
  }

 private:
  const History& h_;
  Level level_;
  const Budget& budget_;
};

Edge in_original_ids(const ResolvedHistory& in, const Edge& e) {
  Edge result{
      in.original(e.from), in.original(e.to), e.kind, in.original(e.key), e.via, {}};
  if (!e.via.is_none()) result.via = in.original(e.via);
  for (const Edge& reason : e.because)
    result.because.push_back(in_original_ids(in, reason));
  return result;
}

// RC, RA, CC.  A forced edge t2 -ww-> t1 (t3 saw t2, but read from t1) on a cycle says that
// the other way round, t1 before t2, is already settled by the rest of the cycle; so t3's
// version was overwritten by t2.  People follow the latter more easily: t2 ~> t3 -rw-> t2.
std::vector<Edge> as_anti_dependency(const std::vector<Edge>& cycle) {
  const auto forced = std::find_if(cycle.begin(), cycle.end(), [](const Edge& e) {
    return e.kind == EdgeKind::Ww && !e.via.is_none();
  });
  if (forced == cycle.end()) return cycle;
  std::vector<Edge> result = forced->because;
  Edge rw{forced->via, forced->from, EdgeKind::Rw, forced->key, forced->to, {}};
  if (forced->to != init) {
    rw.because.assign(forced + 1, cycle.end());
    rw.because.insert(rw.because.end(), cycle.begin(), forced);
  }
  result.push_back(rw);
  return result;
}

// Only the shortest of all ways to tell it.
std::vector<Edge> weak_cycle(const ResolvedHistory& in, Level level) {
  Outcome outcome = decide_weak(in, level, 1, {});  // few transactions
  ISOMER_ASSERT(!outcome.is_allowed());
  return as_anti_dependency(outcome.cycles.front());
}

std::vector<Edge> strong_cycle(const ResolvedHistory& in, Level level,
                               const Budget& budget) {
  OrderGraph known(in, level);
  if (known.saturate(budget) != OrderGraph::Outcome::Cyclic) return {};
  std::vector<Edge> cycle;
  std::size_t edges_max = 500;
  for (const std::uint32_t link : known.cycle()) {
    auto edge = known.justified(link, edges_max);
    if (!edge) return {};
    cycle.push_back(std::move(*edge));
  }
  return joined(cycle);
}

// The weakest level, no stronger than `level`, that forbids the core already.
Level weakest_forbidding(const Selection& core, Level level, const Budget& budget) {
  for (const Level weak : all_levels)
    if (weak != level && is_stronger_or_equal(level, weak) &&
        decide(core, weak, {budget}).kind == Decision::Kind::Violated)
      return weak;
  return level;
}

bool mentions_init(const std::vector<Edge>& edges) {
  return std::any_of(edges.begin(), edges.end(), [](const Edge& e) {
    return e.from == init || e.to == init || e.via == init || mentions_init(e.because);
  });
}

}  // namespace

Violated explain(const History& history, Level level, std::vector<TxnId> support,
                 const Budget& budget) {
  Violated result;
  std::vector<TxnId> core = std::move(support);
  // Nothing that was rolled back takes part, even if there is no time to leave out others.
  std::erase_if(core,
                [&](TxnId t) { return history.status(t) == history::Status::Aborted; });
  result.is_minimal = Minimizer(history, level, budget).minimize(core);
  const Selection selection(history, core);
  const Level weakest =
      result.is_minimal ? weakest_forbidding(selection, level, budget) : level;
  result.axioms = {std::string(info(weakest).axiom)};
  Anomaly anomaly;
  if (selection.ambiguous().empty()) {
    const ResolvedHistory in = selection.resolve_certain();
    const std::vector<Edge> cycle =
        weakest <= Level::CC ? weak_cycle(in, weakest) : strong_cycle(in, weakest, budget);
    anomaly = name_anomaly(weakest, &in, cycle);
    for (const Edge& e : cycle)
      result.cycle.push_back(in_original_ids(in, e));
  } else {
    anomaly = name_anomaly(weakest, nullptr, {});
  }
  result.anomaly = anomaly.name;
  result.summary = anomaly.summary;
  if (mentions_init(result.cycle)) core.insert(core.begin(), init);
  result.transactions = std::move(core);
  return result;
}

Violated explain(const History&, const history::Problem& problem) {
  const Anomaly anomaly = name_problem(problem.kind);
  Violated result;
  result.anomaly = anomaly.name;
  result.summary = anomaly.summary;
  result.axioms = {"read consistency"};
  result.problem = problem;
  result.transactions = {problem.reader};
  if (!problem.other.is_none() && problem.other != problem.reader)
    result.transactions.push_back(problem.other);
  std::sort(result.transactions.begin(), result.transactions.end());
  return result;
}

}  // namespace isomer::check
