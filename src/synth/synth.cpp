// SPDX-License-Identifier: MIT
#include "synth/synth.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "base/budget.h"
#include "check/certify/certify.h"
#include "synth/every_history.h"
#include "synth/found.h"
#include "synth/search.h"

namespace isomer::synth {
namespace {

Problem problem_of(std::span<const Level> allow, std::span<const Level> forbid) {
  Problem problem;
  for (const Level& level : allow)
    problem.allow.push_back(level::least_form(level));
  for (const Level& level : forbid)
    problem.forbid.push_back(level::least_form(level));
  return problem;
}

std::size_t session_pairs(const HistoryTables<Truth>& tables) {
  std::size_t count = 0;
  for (std::size_t i = 1; i < tables.txn_count(); ++i)
    for (std::size_t j = 1; j < tables.txn_count(); ++j)
      count += tables.so(i, j);
  return count;
}

class Synthesis {
 public:
  Synthesis(const Problem& problem, const Options& options)
      : problem_(problem),
        options_(options),
        bound_(options.scope.value_or(scope_default)) {
    result_.scope = bound_;
  }

  Result run(std::span<const Level> allow, std::span<const Level> forbid) {
    const Stopwatch watch;
    switch (options_.want) {
      case Want::Exact:
        search_any(bound_.transactions);
        break;
      case Want::Any:
        for (std::uint32_t n = bound_.transactions; n > 0 && is_open(); --n)
          search_any(n);
        break;
      case Want::Smallest:
        for (std::uint32_t n = 1; n <= bound_.transactions && is_open(); ++n)
          search_smallest(n);
        break;
    }
    for (Found& found : found_)
      result_.found.push_back(check::or_contradiction(
          certify(std::move(found), allow, forbid, options_.budget)));
    result_.stats.seconds = watch.seconds();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_open() const { return result_.outcome == Outcome::None; }

  [[nodiscard]] Scope with_transactions(std::uint32_t n) const {
    Scope scope = bound_;
    scope.transactions = n;
    return scope;
  }

  // Whether it is known in advance that no history has n transactions, or the time is up.
  bool is_excluded(std::uint32_t n) {
    const bool is_plain =
        options_.algorithm != Algorithm::Cegis || options_.baseline != Baseline::None;
    if (is_plain || !has_single_reads(problem_, options_)) return false;
    Search search(problem_, with_transactions(n), options_, Search::Reads::Merged);
    const Search::Answer answer = search.any_merged();
    result_.stats.clauses += search.clause_count();
    if (answer == Search::Answer::Unknown) settle(search, answer);
    return answer != Search::Answer::Found;
  }

  [[nodiscard]] std::optional<Found> found_of(const CandidateHistory& candidate) const {
    return make_found(problem_, candidate, bound_.initial_value, options_.budget);
  }

  void search_any(std::uint32_t n) {
    if (options_.algorithm == Algorithm::BruteForce) return try_all(n, false);
    if (is_excluded(n)) return;
    Search search(problem_, with_transactions(n), options_);
    search.prefer_operations(true);
    settle(search, search.next({}));
    note(search);
  }

  // Finds a history with n transactions, then asks for fewer operations until there are
  // none, then for fewer keys, then for fewer values.
  void search_smallest(std::uint32_t n) {
    if (options_.algorithm == Algorithm::BruteForce) return try_all(n, true);
    if (is_excluded(n)) {
      if (!is_open()) result_.scope.transactions = n - 1;
      return;
    }
    Search search(problem_, with_transactions(n), options_);
    search.prefer_operations(false);
    Search::Answer answer = search.next({});
    if (answer == Search::Answer::Found) {
      shrink(search);
      if (result_.outcome == Outcome::Found && options_.count > 1) enumerate(search);
    } else {
      settle(search, answer);
      if (answer == Search::Answer::Unknown) result_.scope.transactions = n - 1;
    }
    note(search);
  }

  // Every history with n transactions: the first that satisfies the problem, or the
  // smallest ones.
  void try_all(std::uint32_t n, bool is_smallest_wanted) {
    std::set<std::string> known;
    const bool is_complete = visit_histories(
        shape_of(problem_, with_transactions(n), options_), options_.budget,
        [&](const HistoryTables<Truth>& tables) {
          ++result_.stats.candidates;
          const std::optional<CandidateHistory> candidate = satisfying(tables);
          if (candidate && !keep(*candidate, known)) return false;
          return is_smallest_wanted || found_.empty();
        });
    if (is_complete || (!is_smallest_wanted && !found_.empty())) return;
    result_.reason = options_.budget.reason();
    result_.is_smallest = false;
    if (found_.empty()) result_.outcome = Outcome::Unknown;
    if (found_.empty() && is_smallest_wanted) result_.scope.transactions = n - 1;
  }

  // The history with an execution of each allowed level, if no forbidden level has one.
  [[nodiscard]] std::optional<CandidateHistory> satisfying(
      const HistoryTables<Truth>& tables) const {
    CandidateHistory out{tables, {}};
    for (const level::LeastForm& form : problem_.allow) {
      ExecutionAnswer answer = find_execution(form, tables, options_.budget, false);
      auto* const execution = std::get_if<Execution<Truth>>(&answer);
      if (execution == nullptr) return std::nullopt;
      out.executions.push_back(std::move(*execution));
    }
    for (const level::LeastForm& form : problem_.forbid)
      if (!std::holds_alternative<NoExecution>(
              find_execution(form, tables, options_.budget, false)))
        return std::nullopt;
    return out;
  }

  // Among the smallest so far, if it is one and not a renamed copy.  False if the time ran
  // out.
  bool keep(const CandidateHistory& candidate, std::set<std::string>& known) {
    std::optional<Found> found = found_of(candidate);
    if (!found) return false;
    const auto size = [](const Found& f) {
      return std::tuple(f.operations, f.size.keys, f.size.values);
    };
    if (!found_.empty() && size(*found) > size(found_.front())) return true;
    if (!found_.empty() && size(*found) < size(found_.front())) {
      found_.clear();
      known.clear();
    }
    result_.outcome = Outcome::Found;
    if (found_.size() < options_.count &&
        known.insert(canonical_form(candidate.tables)).second)
      found_.push_back(std::move(*found));
    return true;
  }

  void shrink(Search& search) {
    using Bound = Bit (Search::*)(std::size_t);
    using Measure = std::uint32_t (*)(const Found&);
    const std::pair<Bound, Measure> measures[] = {
        {&Search::operations_at_most, [](const Found& found) { return found.operations; }},
        {&Search::keys_at_most, [](const Found& found) { return found.size.keys; }},
        {&Search::values_at_most, [](const Found& found) { return found.size.values; }},
    };
    best_ = search.candidate();
    if (!settle(search, Search::Answer::Found)) return;
    for (const auto& [bound, measure] : measures) {
      for (;;) {
        assumptions_.push_back((search.*bound)(measure(found_.front()) - 1));
        const Search::Answer answer = search.next(assumptions_);
        assumptions_.pop_back();
        if (answer != Search::Answer::Found) {
          if (answer == Search::Answer::Unknown) return give_up_shrinking();
          break;
        }
        best_ = search.candidate();
        std::optional<Found> smaller = found_of(best_);
        if (!smaller) return give_up_shrinking();
        found_.front() = std::move(*smaller);
      }
      assumptions_.push_back((search.*bound)(measure(found_.front())));
    }
    if (options_.count == 1) prefer_many_sessions(search);
  }

  // Of equally small histories, one that needs least of session order is the clearest.
  void prefer_many_sessions(Search& search) {
    for (;;) {
      const std::size_t pairs = session_pairs(best_.tables);
      if (pairs == 0) return;
      assumptions_.push_back(search.session_pairs_at_most(pairs - 1));
      const Search::Answer answer = search.next(assumptions_);
      assumptions_.pop_back();
      if (answer != Search::Answer::Found) return;
      best_ = search.candidate();
      std::optional<Found> clearer = found_of(best_);
      if (!clearer) return;
      found_.front() = std::move(*clearer);
    }
  }

  // More of the same size.  A renamed copy of one that is known is passed over.
  void enumerate(Search& search) {
    std::set<std::string> known{canonical_form(best_.tables)};
    while (found_.size() < options_.count) {
      const Search::Answer answer = search.next(assumptions_);
      if (answer == Search::Answer::Unknown) return give_up_shrinking();
      if (answer == Search::Answer::None) return;
      if (known.insert(canonical_form(search.candidate().tables)).second &&
          !settle(search, answer))
        return;
      search.exclude_candidate();
    }
  }

  void give_up_shrinking() {
    result_.is_smallest = false;
    result_.reason = options_.budget.reason();
  }

  // Whether a history was added to the result.
  bool settle(const Search& search, Search::Answer answer) {
    if (answer == Search::Answer::None) return false;
    if (answer == Search::Answer::Found) {
      std::optional<Found> found = found_of(search.candidate());
      if (found) {
        found_.push_back(std::move(*found));
        result_.outcome = Outcome::Found;
        return true;
      }
    }
    if (result_.outcome == Outcome::None) result_.outcome = Outcome::Unknown;
    result_.reason = options_.budget.reason();
    return false;
  }

  void note(const Search& search) {
    result_.stats.candidates += search.candidate_count();
    result_.stats.clauses += search.clause_count();
  }

  const Problem& problem_;
  const Options& options_;
  const Scope bound_;
  Result result_;
  std::vector<Found> found_;  // not yet certified
  CandidateHistory best_;
  std::vector<Bit> assumptions_;  // as small as the best one
};

}  // namespace

Result synth(std::span<const Level> allow, std::span<const Level> forbid,
             const Options& options) {
  const Problem problem = problem_of(allow, forbid);
  return Synthesis(problem, options).run(allow, forbid);
}

}  // namespace isomer::synth
