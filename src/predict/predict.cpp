// SPDX-License-Identifier: MIT
// A solver proposes a history that is feasible and that the level allows.  If some order
// explains it, it learns from that order (orders.h) and proposes another one.  The first
// lesson is the order of the observed run itself: some read must change.
//
// A large run is not told what a built-in level forbids, but learns that in the same way
// (lazy_level.h).
//
// Fewest changed reads first: the solver may change one read, then two, and so on, and
// keeps what it has learned.
#include "predict/predict.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/assert.h"
#include "logic/finder.h"
#include "logic/relation.h"
#include "predict/feasible.h"
#include "predict/lazy_level.h"
#include "predict/orders.h"
#include "predict/predicted.h"
#include "predict/weak_level.h"

namespace isomer::predict {
namespace {

using logic::Finder;
using logic::SatAnswer;

constexpr std::array strategies = {"exact-strict", "approx-strict", "approx-relaxed",
                                   "exact-relaxed"};
constexpr std::array boundaries = {"closed", "appendix-b", "none"};

// More changes than this are not told apart.
constexpr std::size_t counted_changes_max = 6;

double seconds_since(Budget::Clock::time_point start) {
  return std::chrono::duration<double>(Budget::Clock::now() - start).count();
}

class Predictor {
 public:
  Predictor(const History& history, const Options& options)
      : history_(history),
        options_(options),
        observed_(observe(history)),
        finder_(circuit_) {}

  Result run() {
    const auto start = Budget::Clock::now();
    encode();
    result_.encode_seconds = seconds_since(start);
    const auto solving = Budget::Clock::now();
    search();
    result_.solve_seconds = seconds_since(solving);
    result_.variables = circuit_.node_count();
    result_.clauses = finder_.clause_count();
    return std::move(result_);
  }

 private:
  void encode() {
    std::vector<std::vector<TxnNumber>> others = readable(observed_);
    if (options_.boundary == Boundary::Closed && options_.level.built_in)
      if ((before_ = happens_before(observed_)))
        remove_overwritten(observed_, *before_, *options_.level.built_in, others);
    feasible_ = encode_feasible(circuit_, observed_, is_strict(options_.strategy),
                                options_.boundary, others);
    for (const Bit variable : feasible_.free)
      finder_.prefer(~variable);
    for (const Bit fact : feasible_.facts)
      finder_.require(fact);
    for (const Bit fact : level_facts())
      finder_.require(fact);
    more_changes_ = logic::count(circuit_, feasible_.changed, counted_changes_max + 1);
    observed_order_ = serial_order(observed_candidate());
    if (observed_order_) learn(TxnOrder::total(*observed_order_, observed_.txns.size()));
  }

  std::vector<Bit> level_facts() {
    const auto txns = static_cast<double>(observed_.txns.size());
    const double cells = txns * txns * (txns + static_cast<double>(observed_.keys.size()));
    is_lazy_ = before_ && cells > options_.told_cells_max &&
               *options_.level.built_in != check::Level::SER;
    if (is_lazy_)
      return forbid_stale_reads(circuit_, observed_, feasible_, *before_,
                                *options_.level.built_in);
    return encode_level(circuit_, observed_, feasible_, text_of(options_.level));
  }

  // At most so many changes; then any number.
  void search() {
    for (std::size_t changes = observed_order_ ? 1 : 0;; ++changes) {
      const bool is_bounded = changes < more_changes_.size();
      std::vector<Bit> assumed;
      if (is_bounded) assumed.push_back(~more_changes_[changes]);
      while (true) {
        const SatAnswer answer = finder_.solve(options_.budget, assumed);
        if (answer == SatAnswer::Unknown) {
          result_.unknown = options_.budget.reason();
          return;
        }
        if (answer == SatAnswer::Unsatisfiable) break;
        consider(candidate(), assumed);
        if (result_.predictions.size() == options_.count_max) return;
      }
      if (!is_bounded || !finder_.is_failed(assumed.front())) {
        result_.is_complete = true;
        return;
      }
    }
  }

  void consider(const Candidate& candidate, const std::vector<Bit>& assumed) {
    ++result_.candidates;
    if (is_prediction(candidate)) keep(widened(candidate, assumed));
  }

  // Learns if it is not.
  bool is_prediction(const Candidate& candidate) {
    const std::optional<TxnOrder> partial = pco(observed_, candidate);
    if (partial) {
      if (const auto order = explained_by(candidate, *partial)) {
        learn(TxnOrder::total(*order, observed_.txns.size()));
        return false;
      }
      if (!is_exact(options_.strategy)) {
        learn(*partial);
        return false;
      }
    }
    return !is_lazy_ || is_allowed(candidate);
  }

  // The same changes, with as much of the observed run as possible: sessions in which
  // nothing changes go on to their end.
  Candidate widened(Candidate found, std::vector<Bit> assumed) {
    std::vector<bool> has_change(observed_.sessions.size(), false);
    for (std::size_t r = 0; r < observed_.reads.size(); ++r)
      for (const Choice& choice : feasible_.reads_from[r])
        if (found.writer[r] == choice.writer &&
            choice.writer != observed_.reads[r].writer) {
          assumed.push_back(choice.bit);
          has_change[observed_.txns[observed_.reads[r].reader].session] = true;
        }
    for (std::size_t session = 0; session < has_change.size(); ++session) {
      if (has_change[session] || !found.boundary[session]) continue;
      std::vector<Bit> wider = assumed;
      for (const BoundaryPlace& place : feasible_.boundary[session])
        wider.push_back(~place.bit);
      if (finder_.solve(options_.budget, wider) != SatAnswer::Satisfiable) continue;
      Candidate trial = candidate();
      if (!is_prediction(trial)) continue;
      found = std::move(trial);
      assumed = std::move(wider);
    }
    return found;
  }

  // Learns if it is not.  False also if time runs out.
  bool is_allowed(const Candidate& candidate) {
    const PredictedHistory predicted = predicted_history(
        history_, observed_, candidate,
        std::vector<std::optional<std::uint32_t>>(observed_.sessions.size()));
    const check::Result checked = check::check(
        predicted.history, {.levels = {options_.level}, .budget = options_.budget});
    const auto* violation = std::get_if<check::Violated>(&checked.levels.front().verdict);
    if (violation == nullptr)
      return std::holds_alternative<check::Consistent>(checked.levels.front().verdict);
    std::vector<TxnNumber> numbers;
    for (const TxnId txn : predicted.origin)
      numbers.push_back(number(txn));
    finder_.require_any(
        violation_lesson(observed_, feasible_, candidate, *violation, numbers));
    return false;
  }

  [[nodiscard]] TxnNumber number(TxnId txn) const {
    return static_cast<TxnNumber>(
        std::ranges::lower_bound(observed_.txns, txn, {}, &ObservedTxn::id) -
        observed_.txns.begin());
  }

  void learn(const TxnOrder& order) {
    finder_.require_any(lesson(circuit_, observed_, feasible_, order));
  }

  Candidate candidate() {
    Candidate out;
    for (const Bit bit : feasible_.is_in)
      out.is_in.push_back(finder_.value(bit));
    for (const std::vector<Bit>& bits : feasible_.writes) {
      out.writes.emplace_back();
      for (const Bit bit : bits)
        out.writes.back().push_back(finder_.value(bit));
    }
    for (const std::vector<Choice>& choices : feasible_.reads_from) {
      const auto chosen = std::ranges::find_if(
          choices, [&](const Choice& choice) { return finder_.value(choice.bit); });
      out.writer.push_back(chosen == choices.end() ? std::nullopt
                                                   : std::optional(chosen->writer));
    }
    for (const auto& places : feasible_.boundary) {
      const auto place = std::ranges::find_if(
          places, [&](const BoundaryPlace& p) { return finder_.value(p.bit); });
      out.boundary.push_back(place == places.end() ? std::nullopt
                                                   : std::optional(place->op));
    }
    return out;
  }

  [[nodiscard]] Candidate observed_candidate() const {
    Candidate out;
    out.is_in.assign(observed_.txns.size(), true);
    for (const ObservedTxn& txn : observed_.txns)
      out.writes.emplace_back(txn.writes.size(), true);
    for (const ObservedRead& read : observed_.reads)
      out.writer.emplace_back(read.writer);
    return out;
  }

  // A commit order of all transactions that explains those that take part.  One that
  // extends pco often does; else the checker decides.
  std::optional<std::vector<TxnNumber>> explained_by(const Candidate& candidate,
                                                     const TxnOrder& partial) {
    std::vector<TxnNumber> order = extension(partial);
    if (fits(candidate, TxnOrder::total(order, order.size()))) return order;
    return serial_order(candidate);
  }

  // Those of the observed order first that can be first.
  [[nodiscard]] std::vector<TxnNumber> extension(const TxnOrder& partial) const {
    std::vector<TxnNumber> rest(observed_.txns.size());
    for (TxnNumber txn = 0; txn < rest.size(); ++txn)
      rest[txn] = observed_order_ ? (*observed_order_)[txn] : txn;
    std::vector<TxnNumber> out;
    while (!rest.empty()) {
      const auto next = std::ranges::find_if(rest, [&](TxnNumber txn) {
        return std::ranges::none_of(
            rest, [&](TxnNumber other) { return partial.is_before(other, txn); });
      });
      out.push_back(*next);
      rest.erase(next);
    }
    return out;
  }

  [[nodiscard]] bool fits(const Candidate& candidate, const TxnOrder& order) const {
    for (std::size_t r = 0; r < observed_.reads.size(); ++r) {
      if (!candidate.writer[r]) continue;
      const ObservedRead& read = observed_.reads[r];
      const TxnNumber writer = *candidate.writer[r];
      if (!order.is_before(writer, read.reader)) return false;
      for (const TxnNumber other : observed_.writers[read.key]) {
        const ObservedTxn& txn = observed_.txns[other];
        const auto index =
            static_cast<std::size_t>(txn.find_write(read.key) - txn.writes.data());
        if (other != writer && other != read.reader && candidate.writes[other][index] &&
            order.is_before(writer, other) && order.is_before(other, read.reader))
          return false;
      }
    }
    return true;
  }

  std::optional<std::vector<TxnNumber>> serial_order(const Candidate& candidate) {
    const PredictedHistory predicted = predicted_history(
        history_, observed_, candidate,
        std::vector<std::optional<std::uint32_t>>(observed_.sessions.size()));
    const check::Result checked = check::check(
        predicted.history,
        {.levels = {check::Level::SER}, .budget = options_.budget, .explain = false});
    const auto* witness = std::get_if<check::Consistent>(&checked.levels.front().verdict);
    if (witness == nullptr) return std::nullopt;
    std::vector<TxnNumber> out;
    for (const TxnId txn : witness->commit_order)
      out.push_back(number(predicted.origin[txn.index]));
    // Those that take no part come last, in the order in which they were observed.
    for (TxnNumber txn = 0; txn < observed_.txns.size(); ++txn) {
      const TxnNumber next = observed_order_ ? (*observed_order_)[txn] : txn;
      if (!candidate.is_in[next]) out.push_back(next);
    }
    return out;
  }

  void keep(const Candidate& candidate) {
    Prediction prediction;
    std::vector<Bit> others;
    prediction.boundary = candidate.boundary;
    for (std::size_t r = 0; r < observed_.reads.size(); ++r) {
      const ObservedRead& read = observed_.reads[r];
      if (!candidate.writer[r] || *candidate.writer[r] == read.writer) continue;
      prediction.changed.push_back({.reader = observed_.txns[read.reader].id,
                                    .op = read.op,
                                    .key = observed_.keys[read.key],
                                    .observed = observed_.txns[read.writer].id,
                                    .predicted = observed_.txns[*candidate.writer[r]].id});
      for (const Choice& choice : feasible_.reads_from[r])
        if (choice.writer == *candidate.writer[r]) others.push_back(~choice.bit);
    }
    std::vector<std::optional<std::uint32_t>> last_op(observed_.sessions.size());
    if (is_strict(options_.strategy)) last_op = prediction.boundary;
    PredictedHistory predicted = predicted_history(history_, observed_, candidate, last_op);
    const check::Result checked = check::check(
        predicted.history, {.levels = {check::Level::SER}, .budget = options_.budget});
    const auto* violation = std::get_if<check::Violated>(&checked.levels.front().verdict);
    if (violation != nullptr && is_new(*violation, predicted)) {
      prediction.violation = *violation;
      prediction.history = std::move(predicted.history);
      prediction.origin = std::move(predicted.origin);
      result_.predictions.push_back(std::move(prediction));
    }
    finder_.require_any(others);
  }

  bool is_new(const check::Violated& violation, const PredictedHistory& predicted) {
    std::vector<TxnId> transactions;
    for (const TxnId txn : violation.transactions)
      transactions.push_back(predicted.origin[txn.index]);
    std::ranges::sort(transactions);
    return known_.emplace(violation.anomaly, std::move(transactions)).second;
  }

  const History& history_;
  const Options& options_;
  Observed observed_;
  Circuit circuit_;
  Finder finder_;
  std::optional<TxnOrder> before_;  // rule Closed, and a built-in level
  Feasible feasible_;
  bool is_lazy_ = false;
  std::vector<Bit> more_changes_;  // [i]: more than i
  std::optional<std::vector<TxnNumber>> observed_order_;
  std::set<std::pair<std::string, std::vector<TxnId>>> known_;
  Result result_;
};

}  // namespace

std::string_view name(Strategy strategy) {
  return strategies.at(static_cast<std::size_t>(strategy));
}

std::optional<Strategy> strategy_named(std::string_view name) {
  const auto found = std::ranges::find(strategies, name);
  if (found == strategies.end()) return std::nullopt;
  return static_cast<Strategy>(found - strategies.begin());
}

std::string_view name(Boundary boundary) {
  return boundaries.at(static_cast<std::size_t>(boundary));
}

std::optional<Boundary> boundary_named(std::string_view name) {
  const auto found = std::ranges::find(boundaries, name);
  if (found == boundaries.end()) return std::nullopt;
  return static_cast<Boundary>(found - boundaries.begin());
}

std::optional<std::string> obstacle(const History& observed) {
  if (observed.is_list_append()) return "its reads return lists of all that was appended";
  if (!observed.problems().empty()) return "it has reads that no level allows";
  if (!observed.ambiguous_reads().empty()) return "it is not known who read from whom";
  if (observed.has_unknown_outcomes()) return "the outcome of a transaction is not known";
  return std::nullopt;
}

Result predict(const History& observed, const Options& options) {
  ISOMER_ASSERT(!obstacle(observed));
  return Predictor(observed, options).run();
}

}  // namespace isomer::predict
