// SPDX-License-Identifier: MIT
// Section 5.1 of the paper: cycles of bounded length.
//
// The cycles of types are enumerated; which statements and records make the dependencies is
// left to the solver.  Two cheap tests come first: are there statements for the kinds of
// dependencies that the level leaves possible in a cycle (a cycle needs an
// anti-dependency; under SI two in a row), and has a shorter cycle of some of the same
// transactions been found, which has to be repaired first anyway?
//
// Of the solutions for one cycle of types, each next one must have a dependency that no
// earlier one had.  So every dependency that takes part in some anomaly is shown in one,
// and their number stays small where all combinations would be too many to read.
#include "audit/search.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/solution.h"
#include "base/budget.h"

namespace isomer::audit {
namespace {

using logic::SatAnswer;
using Types = std::vector<std::uint32_t>;

constexpr std::array kinds{DependencyKind::WriteRead, DependencyKind::ReadWrite,
                           DependencyKind::WriteWrite};

}  // namespace

// --- one question ---

Question::Question(Chain& chain, const Options& options, Effort& effort)
    : options_(options), effort_(effort), solver_(chain.terms()) {
  for (const Term formula : chain.formulas())
    solver_.add(formula);
}

void Question::require(Term formula) {
  solver_.add(formula);
}

SatAnswer Question::ask() {
  const Stopwatch stopwatch;
  const SatAnswer out = solver_.solve({}, options_.budget.within(options_.query_seconds));
  ++effort_.questions;
  effort_.slowest_seconds = std::max(effort_.slowest_seconds, stopwatch.seconds());
  return out;
}

// --- what levels leave possible ---

const std::vector<Patterns::Kinds>* Patterns::possible(const Types& types,
                                                       const Budget& budget) {
  // Types of one level are alike, unless some are serial with others.
  Types alike = types;
  if (plan_.serial.empty())
    for (std::uint32_t& type : alike)
      type = plan_.level_of[type];
  const auto known = known_.find(alike);
  if (known != known_.end()) return &known->second;

  Terms terms;
  std::vector<Term> facts;
  const std::size_t count = types.size();
  Visibility execution = open_visibility(terms, count, facts);
  Matrix<Term> is_kind(count, kinds.size(), terms.truth(false));
  for (std::size_t slot = 0; slot < count; ++slot) {
    const std::size_t to = (slot + 1) % count;
    for (std::size_t k = 0; k < kinds.size(); ++k)
      is_kind(slot, k) = terms.variable("kind", TermSort::Bool);
    facts.push_back(terms.implies(is_kind(slot, 0), execution.vis(slot, to)));
    facts.push_back(
        terms.implies(is_kind(slot, 1), terms.negation(execution.vis(to, slot))));
    facts.push_back(terms.implies(is_kind(slot, 2), execution.ar(slot, to)));
    std::vector<Term> writers(count, terms.truth(false));
    writers[slot] = terms.either(is_kind(slot, 0), is_kind(slot, 2));
    writers[to] = terms.either(is_kind(slot, 1), is_kind(slot, 2));
    execution.writers.push_back(std::move(writers));
    execution.wr.emplace_back(count, count, terms.truth(false));
    execution.wr.back()(slot, to) = is_kind(slot, 0);
  }
  facts.push_back(demanded(terms, plan_, types, execution));
  logic::TermSolver solver(terms);
  for (const Term fact : facts)
    solver.add(fact);

  std::vector<Kinds> out;
  std::size_t pattern_count = 1;
  for (std::size_t i = 0; i < count; ++i)
    pattern_count *= kinds.size();
  for (std::size_t number = 0; number < pattern_count; ++number) {
    Kinds pattern;
    std::vector<Term> assumed;
    for (std::size_t slot = 0, rest = number; slot < count; ++slot, rest /= kinds.size()) {
      pattern.push_back(kinds[rest % kinds.size()]);
      assumed.push_back(is_kind(slot, rest % kinds.size()));
    }
    if (std::find(pattern.begin(), pattern.end(), DependencyKind::ReadWrite) ==
        pattern.end())
      continue;
    if (budget.is_exhausted()) return nullptr;
    if (solver.solve(assumed, budget) != SatAnswer::Unsatisfiable) out.push_back(pattern);
  }
  return &known_.emplace(std::move(alike), std::move(out)).first->second;
}

// --- shapes ---

std::vector<Chain::Slot> cycle_slots(std::size_t count) {
  std::vector<Chain::Slot> out;
  for (std::size_t i = 0; i < count; ++i)
    out.emplace_back(i, (i + 1) % count);
  return out;
}

std::vector<Chain::Slot> path_slots(std::size_t count) {
  std::vector<Chain::Slot> out;
  for (std::size_t i = 0; i + 1 < count; ++i)
    out.emplace_back(i, i + 1);
  return out;
}

namespace {

// A cycle of types is looked at once, not in each of its rotations.
bool is_first_rotation(const Types& types) {
  Types rotated = types;
  for (std::size_t i = 1; i < types.size(); ++i) {
    std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
    if (rotated < types) return false;
  }
  return true;
}

// The next one of this length, as numbers are counted; false after the last.
bool advance(Types& types, std::uint32_t type_count) {
  std::size_t at = types.size();
  while (at > 0 && types[at - 1] + 1 == type_count)
    types[--at] = 0;
  if (at == 0) return false;
  ++types[at - 1];
  return true;
}

class CycleSearch {
 public:
  CycleSearch(const Application& application, const Plan& plan, const Options& options,
              Result& result, Effort& effort)
      : application_(application),
        plan_(plan),
        options_(options),
        result_(result),
        effort_(effort),
        patterns_(plan) {}

  void run() {
    const auto type_count = static_cast<std::uint32_t>(application_.program().types.size());
    for (std::uint32_t length = 2; length <= options_.cycle_max; ++length) {
      Types types(length, 0);
      do {
        if (options_.budget.is_exhausted()) {
          result_.unknown =
              fmt::format("{} at cycles of length {}", options_.budget.reason(), length);
          return;
        }
        if (options_.stop_at_first && !result_.anomalies.empty()) return;
        search_once(types);
      } while (advance(types, type_count));
      if (result_.unknown.empty()) result_.cycle_max = length;
    }
  }

 private:
  void search_once(const Types& types) {
    if (!is_first_rotation(types) || contains_found(types) || !is_conceivable(types))
      return;
    tell(types);
    search(types);
  }

  void tell(const Types& types) const {
    if (!options_.on_progress) return;
    std::vector<std::string> names;
    for (const std::uint32_t type : types)
      names.push_back(application_.program().types[type].name);
    options_.on_progress(fmt::format("{}", fmt::join(names, ", ")));
  }

  // Some of these transactions are known to make a shorter cycle.
  [[nodiscard]] bool contains_found(const Types& types) const {
    Types sorted = types;
    std::sort(sorted.begin(), sorted.end());
    return std::any_of(found_.begin(), found_.end(), [&](const Types& found) {
      return found.size() < sorted.size() &&
             std::includes(sorted.begin(), sorted.end(), found.begin(), found.end());
    });
  }

  [[nodiscard]] bool is_conceivable(const Types& types) {
    const auto slots = cycle_slots(types.size());
    const auto fits = [&](const Patterns::Kinds& pattern) {
      for (std::size_t i = 0; i < slots.size(); ++i)
        if (!application_.has_kind(types[slots[i].first], types[slots[i].second],
                                   pattern[i]))
          return false;
      return true;
    };
    for (const auto& [from, to] : slots)
      if (application_.pairs(types[from], types[to]).empty()) return false;
    // Without an answer the search itself finds that the budget has ended.
    const auto* possible = patterns_.possible(types, options_.budget);
    return possible == nullptr || std::any_of(possible->begin(), possible->end(), fits);
  }

  void search(const Types& types) {
    Chain chain(application_, plan_, types, cycle_slots(types.size()));
    require_watch(chain);
    Question question(chain, options_, effort_);
    for (const Term formula : watched_)
      question.require(formula);
    std::set<std::pair<std::size_t, std::size_t>> seen;
    while (true) {
      const SatAnswer answer = question.ask();
      if (answer == SatAnswer::Unknown)
        result_.unknown = fmt::format("the solver gave up: {}", question.why_unknown());
      if (answer != SatAnswer::Satisfiable) return;
      add_anomaly(chain, question, types, seen);
      std::vector<Term> others;
      for (std::size_t slot = 0; slot < types.size(); ++slot)
        for (std::size_t i = 0; i < chain.possible_dependencies(slot).size(); ++i)
          if (!seen.contains({slot, i}))
            others.push_back(chain.possible_dependencies(slot)[i].chosen);
      question.require(chain.terms().any(others));
    }
  }

  // PostgreSQL's serializable transactions: of three that follow each other by
  // anti-dependencies, the last of which is the first of the cycle to commit, one is rolled
  // back (Cahill, Roehm, Fekete, TODS 2009).
  void require_watch(Chain& chain) {
    watched_.clear();
    if (plan_.is_watched.empty()) return;
    const auto slots = cycle_slots(chain.run_count());
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const std::size_t next = (i + 1) % slots.size();
      const std::array three{slots[i].first, slots[i].second, slots[next].second};
      if (!std::all_of(three.begin(), three.end(),
                       [&](std::size_t t) { return plan_.is_watched[chain.run(t).type]; }))
        continue;
      std::vector<Term> parts{chain.has_kind(i, DependencyKind::ReadWrite),
                              chain.has_kind(next, DependencyKind::ReadWrite)};
      for (std::size_t t = 0; t < slots.size(); ++t)
        if (t != three[2]) parts.push_back(chain.visibility().ar(three[2], t));
      watched_.push_back(chain.terms().negation(chain.terms().all(parts)));
    }
  }

  void add_anomaly(Chain& chain, Question& question, const Types& types,
                   std::set<std::pair<std::size_t, std::size_t>>& seen) {
    std::vector<const PossibleDependency*> chosen;
    for (std::size_t slot = 0; slot < types.size(); ++slot) {
      const auto& candidates = chain.possible_dependencies(slot);
      std::optional<std::size_t> best;
      for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (!question.model().truth(candidates[i].chosen)) continue;
        if (!best || (seen.contains({slot, *best}) && !seen.contains({slot, i}))) best = i;
      }
      seen.insert({slot, *best});
      chosen.push_back(&candidates[*best]);
    }
    Anomaly anomaly = described(application_.program(), chain, chosen, question.model());
    anomaly.rows = initial_rows(application_.program(), chain, chosen, question.model());
    Types sorted = types;
    std::sort(sorted.begin(), sorted.end());
    found_.insert(sorted);
    result_.anomalies.push_back(std::move(anomaly));
  }

  const Application& application_;
  const Plan& plan_;
  const Options& options_;
  Result& result_;
  Effort& effort_;
  Patterns patterns_;
  std::set<Types> found_;  // sorted
  std::vector<Term> watched_;
};

}  // namespace

void find_cycles(const Application& application, const Plan& plan, const Options& options,
                 Result& result, Effort& effort) {
  CycleSearch(application, plan, options, result, effort).run();
}

}  // namespace isomer::audit
