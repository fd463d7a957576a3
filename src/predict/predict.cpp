// SPDX-License-Identifier: MIT
// A solver proposes a history that is feasible and that the level allows.  If some order
// explains it, it learns from that order (orders.h) and proposes another one.  The first
// lesson is the order of the observed run itself: some read must change.
//
// For a large run, those that differ from it in one transaction are tried first (nearby.h).
// The solver is then not told what a built-in level forbids, but learns that in the same
// way (lazy_level.h).
//
// Fewest changed reads first: the solver may change one read, then two, and so on, and
// keeps what it has learned.
#include "predict/predict.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/assert.h"
#include "check/certify/certify.h"
#include "logic/finder.h"
#include "logic/relation.h"
#include "predict/feasible.h"
#include "predict/judge.h"
#include "predict/lazy_level.h"
#include "predict/nearby.h"
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

// About 2 GiB of gates and clauses, and 400 MiB of tables.
constexpr std::size_t gate_inputs_max = 20'000'000;
constexpr double table_cells_max = 1e8;
constexpr std::size_t choices_max = 30'000'000;
constexpr std::size_t lazy_txns_max = 1000;
constexpr std::string_view too_large = "the run is too large for this level";

// How much the text of a level is about, roughly.
double level_cells(const Observed& observed) {
  const auto txns = static_cast<double>(observed.txns.size());
  return txns * txns * (txns + static_cast<double>(observed.keys.size()));
}

// A replay may refute many for the same reason.
constexpr std::uint64_t passed_over_max = 100;

// Whom reads could read from, in all.
std::size_t choice_count(const Observed& observed) {
  std::size_t out = 0;
  for (const ObservedRead& read : observed.reads)
    out += observed.writers[read.key].size();
  return out;
}

double seconds_since(Budget::Clock::time_point start) {
  return std::chrono::duration<double>(Budget::Clock::now() - start).count();
}

class Predictor {
 public:
  Predictor(const History& history, const Options& options)
      : history_(history),
        options_(options),
        observed_(observe(history)),
        judge_(observed_, options),
        finder_(circuit_) {}

  Result run() {
    result_.unknown = judge_.unknown();
    const auto start = Budget::Clock::now();
    prepare();
    if (is_large_ && options_.lists_nearby && !is_done()) visit_nearby();
    const auto encoding = Budget::Clock::now();
    if (!is_done()) encode();
    result_.encode_seconds = seconds_since(encoding);
    if (!is_done()) search();
    if (predictions_.empty() && refuted_) {
      predictions_.push_back(std::move(*refuted_));
      --result_.passed_over;
    }
    std::ranges::stable_sort(predictions_, {},
                             [](const Prediction& p) { return p.changed.size(); });
    certify_all();
    result_.solve_seconds = seconds_since(start) - result_.encode_seconds;
    result_.variables = circuit_.node_count();
    result_.clauses = finder_.clause_count();
    return std::move(result_);
  }

 private:
  void certify_all() {
    for (Prediction& prediction : predictions_)
      result_.predictions.push_back(check::or_contradiction(
          certify(std::move(prediction), options_.level, options_.budget)));
  }

  // Everything that was asked for is found, or it is known that it will not be.
  [[nodiscard]] bool is_done() const {
    return predictions_.size() == options_.count_max || !result_.unknown.empty() ||
           result_.passed_over == passed_over_max;
  }

  // What a run of this size needs, and whom reads can read from.
  void prepare() {
    if (choice_count(observed_) > choices_max) result_.unknown = too_large;
    if (is_done()) return;
    others_ = readable(observed_);
    if (options_.boundary != Boundary::Closed) return;
    if (!(before_ = happens_before(observed_))) return;
    if (options_.level.built_in)
      remove_overwritten(observed_, *before_, *options_.level.built_in, others_,
                         options_.budget);
    is_large_ = level_cells(observed_) > options_.told_cells_max;
    is_lazy_ = is_large_ && options_.level.built_in &&
               *options_.level.built_in != check::Level::SER;
  }

  void visit_nearby() {
    if (!judge_.observed_order()) return;
    const Budget& whole = options_.budget;
    const double seconds_max = options_.level.built_in ? 2 : 20;
    visit_nearby_runs({observed_, *before_, *judge_.observed_order()}, options_, others_,
                      [&](const CandidateRun& candidate) {
                        ++result_.candidates;
                        const Judgement judgement = judge_.judge(
                            candidate, Judge::Asks::Briefly, whole.within(seconds_max));
                        if (std::holds_alternative<Unexplained>(judgement)) keep(candidate);
                        return !is_done();
                      });
    if (result_.unknown.empty() && whole.is_exhausted() && !is_done())
      result_.unknown = whole.reason();
    // One change is the least there can be.
    result_.has_fewest = predictions_.empty() || predictions_.front().changed.size() == 1;
  }

  void encode() {
    const bool fits =
        is_lazy_ ? observed_.txns.size() <= lazy_txns_max
                 : table_cells(observed_, text_of(options_.level)) <= table_cells_max;
    if (!fits) {
      result_.unknown = too_large;
      return;
    }
    circuit_.set_limit(options_.budget, gate_inputs_max);
    feasible_ = encode_feasible(circuit_, observed_, is_strict(options_.strategy),
                                options_.boundary, others_);
    if (circuit_.is_exhausted()) return give_up();
    for (const Bit variable : feasible_.free)
      finder_.prefer(~variable);
    for (const Bit fact : feasible_.facts)
      finder_.require(fact);
    for (const Bit fact : level_facts())
      finder_.require(fact);
    more_changes_ = logic::count(circuit_, feasible_.changed, counted_changes_max + 1);
    if (const auto& order = judge_.observed_order())
      learn(TxnOrder::total(*order, observed_.txns.size()));
    for (const std::vector<ChangedRead>& changed : blocked_)
      block(changed);
    is_encoded_ = true;
    if (circuit_.is_exhausted()) give_up();
  }

  std::vector<Bit> level_facts() {
    if (is_lazy_)
      return forbid_stale_reads(circuit_, observed_, feasible_, *before_,
                                *options_.level.built_in);
    return encode_level(circuit_, observed_, feasible_, text_of(options_.level));
  }

  void give_up() {
    if (!result_.unknown.empty()) return;
    result_.unknown =
        options_.budget.is_exhausted() ? options_.budget.reason() : std::string(too_large);
  }

  // At most so many changes; then any number.
  void search() {
    for (std::size_t changes = judge_.observed_order() ? 1 : 0;; ++changes) {
      const bool is_bounded = changes < more_changes_.size();
      std::vector<Bit> assumed;
      if (is_bounded) assumed.push_back(~more_changes_[changes]);
      while (true) {
        const SatAnswer answer = finder_.solve(options_.budget, assumed);
        if (answer == SatAnswer::Unknown) return give_up();
        if (answer == SatAnswer::Unsatisfiable) break;
        consider(candidate(), assumed);
        if (is_done()) return;
      }
      if (!is_bounded || !finder_.is_failed(assumed.front())) {
        result_.is_complete = result_.has_fewest = true;
        return;
      }
    }
  }

  void consider(const CandidateRun& candidate, const std::vector<Bit>& assumed) {
    ++result_.candidates;
    if (is_prediction(candidate)) keep(widened(candidate, assumed));
  }

  // Learns if it is not.
  bool is_prediction(const CandidateRun& candidate) {
    const Judgement judgement = judge_.judge(
        candidate, is_lazy_ ? Judge::Asks::Fully : Judge::Asks::Told, options_.budget);
    if (const auto* explained = std::get_if<Explained>(&judgement)) learn(explained->order);
    if (const auto* forbidden = std::get_if<Forbidden>(&judgement))
      finder_.require_any(violation_lesson(observed_, feasible_, candidate,
                                           forbidden->violation, forbidden->numbers));
    if (const auto* undecided = std::get_if<Undecided>(&judgement))
      result_.unknown = undecided->reason;
    return std::holds_alternative<Unexplained>(judgement);
  }

  // The same changes, with as much of the observed run as possible: sessions in which
  // nothing changes go on to their end.
  CandidateRun widened(CandidateRun found, std::vector<Bit> assumed) {
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
      CandidateRun trial = candidate();
      if (!is_prediction(trial)) continue;
      found = std::move(trial);
      assumed = std::move(wider);
    }
    return found;
  }

  void learn(const TxnOrder& order) {
    finder_.require_any(lesson(circuit_, observed_, feasible_, order));
  }

  CandidateRun candidate() {
    CandidateRun out;
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

  void keep(const CandidateRun& candidate) {
    Prediction prediction;
    prediction.boundary = candidate.boundary;
    for (std::size_t r = 0; r < observed_.reads.size(); ++r) {
      const ObservedRead& read = observed_.reads[r];
      if (!candidate.writer[r] || *candidate.writer[r] == read.writer) continue;
      prediction.changed.push_back({.reader = observed_.txns[read.reader].id,
                                    .op = read.op,
                                    .key = observed_.keys[read.key],
                                    .observed = observed_.txns[read.writer].id,
                                    .predicted = observed_.txns[*candidate.writer[r]].id});
    }
    std::vector<std::optional<std::uint32_t>> last_op(observed_.sessions.size());
    if (is_strict(options_.strategy)) last_op = prediction.boundary;
    PredictedHistory predicted = predicted_history(history_, observed_, candidate, last_op);
    // What was found is worth a moment more than the time given.
    constexpr double explaining_seconds = 1;
    const check::Result checked = *check::certified_answers(
        predicted.history, {.levels = {check::Level::SER},
                            .budget = options_.budget.is_exhausted()
                                          ? options_.budget.last_moment(explaining_seconds)
                                          : options_.budget});
    const check::Verdict& verdict = checked.levels.front().verdict;
    ISOMER_ASSERT(!std::holds_alternative<check::Consistent>(verdict));
    blocked_.push_back(prediction.changed);
    if (is_encoded_) block(prediction.changed);
    if (const auto* unknown = std::get_if<check::Unknown>(&verdict))
      result_.unknown = unknown->reason;
    const auto* violation = std::get_if<check::Violated>(&verdict);
    if (violation == nullptr || !is_new(*violation, predicted)) return;
    prediction.violation = *violation;
    prediction.history = std::move(predicted.history);
    prediction.origin = std::move(predicted.origin);
    if (!options_.accepts || options_.accepts(prediction)) {
      predictions_.push_back(std::move(prediction));
      return;
    }
    ++result_.passed_over;
    if (!refuted_) refuted_ = std::move(prediction);
  }

  // From now on one of these reads does not change, or to something else.
  void block(const std::vector<ChangedRead>& changes) {
    std::vector<Bit> others;
    for (const ChangedRead& changed : changes) {
      const auto read =
          std::ranges::lower_bound(observed_.reads, changed.op, {}, &ObservedRead::op);
      for (const Choice& choice :
           feasible_.reads_from[static_cast<std::size_t>(read - observed_.reads.begin())])
        if (changed.predicted == observed_.txns[choice.writer].id)
          others.push_back(~choice.bit);
    }
    finder_.require_any(others);
  }

  [[nodiscard]] bool is_new(const check::Violated& violation,
                            const PredictedHistory& predicted) const {
    const auto who = [](const check::Violated& shown, const std::vector<TxnId>& origin) {
      std::set<TxnId> out;
      for (const TxnId txn : shown.transactions)
        out.insert(origin[txn.index]);
      return out;
    };
    return std::ranges::none_of(predictions_, [&](const Prediction& known) {
      return known.violation.anomaly == violation.anomaly &&
             who(known.violation, known.origin) == who(violation, predicted.origin);
    });
  }

  const History& history_;
  const Options& options_;
  Observed observed_;
  Judge judge_;
  std::vector<std::vector<TxnNumber>> others_;  // by read: whom else it may read from
  Circuit circuit_;
  Finder finder_;
  std::optional<TxnOrder> before_;  // rule Closed
  Feasible feasible_;
  bool is_encoded_ = false;
  bool is_large_ = false;
  bool is_lazy_ = false;
  std::vector<Bit> more_changes_;  // [i]: more than i
  std::vector<std::vector<ChangedRead>> blocked_;
  std::vector<Prediction> predictions_;  // as the search has them, not yet certified
  std::optional<Prediction> refuted_;    // the first one that was not accepted
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
  if (!observed.problems().empty())
    return "it has reads that none of the seven levels allows";
  if (!observed.ambiguous_reads().empty()) return "it is not known who read from whom";
  if (observed.has_unknown_outcomes()) return "the outcome of a transaction is not known";
  return std::nullopt;
}

bool is_unserializable_already(const History& observed, const Budget& budget) {
  const check::Result result = *check::certified_answers(
      observed, {.levels = {check::Level::SER}, .budget = budget});
  return std::holds_alternative<check::Violated>(result.levels.front().verdict);
}

Result predict(const History& observed, const Options& options) {
  ISOMER_ASSERT(!obstacle(observed));
  return Predictor(observed, options).run();
}

}  // namespace isomer::predict
