// SPDX-License-Identifier: MIT
// Section 5.1 of the paper: cycles of bounded length.
//
// The cycles of types are enumerated; which statements and records make the dependencies is
// left to the solver.  Two cheap tests come first: are there statements for the kinds of
// dependencies that the level leaves possible in a cycle (a cycle needs an
// anti-dependency; under SI two in a row), and has a shorter cycle of some of the same
// transactions been found, which has to be repaired first anyway?  Cycles of types grow
// with the power of their length, but the parts that they can have (CycleParts) do not
// where long paths have shortcuts: so from some length on only those with such a part are
// looked at, and none if there are no such parts.
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

#include "audit/paths.h"
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

namespace {

// A cycle of these types with one of the kinds in each slot, an anti-dependency among them:
// what is known of it without any statement.
std::vector<Term> cycle_facts(Terms& terms, const Plan& plan, const Types& types,
                              const Patterns::Kinds& available) {
  std::vector<Term> facts;
  const std::size_t count = types.size();
  Visibility execution = open_visibility(terms, count, facts);
  std::vector<Term> anti;
  for (std::size_t slot = 0; slot < count; ++slot) {
    const std::size_t to = (slot + 1) % count;
    std::array<Term, kinds.size()> is_kind{};
    for (std::size_t k = 0; k < kinds.size(); ++k)
      is_kind[k] = (available[slot] >> k & 1U) != 0 ? terms.variable("kind", TermSort::Bool)
                                                    : terms.truth(false);
    facts.push_back(terms.any(is_kind));
    anti.push_back(is_kind[1]);
    facts.push_back(terms.implies(is_kind[0], execution.vis(slot, to)));
    facts.push_back(terms.implies(is_kind[1], terms.negation(execution.vis(to, slot))));
    facts.push_back(terms.implies(is_kind[2], execution.ar(slot, to)));
    std::vector<Term> writers(count, terms.truth(false));
    writers[slot] = terms.either(is_kind[0], is_kind[2]);
    writers[to] = terms.either(is_kind[1], is_kind[2]);
    execution.writers.push_back(std::move(writers));
    execution.wr.emplace_back(count, count, terms.truth(false));
    execution.wr.back()(slot, to) = is_kind[0];
  }
  facts.push_back(terms.any(anti));
  facts.push_back(demanded(terms, plan, types, execution));
  return facts;
}

}  // namespace

bool Patterns::is_possible(const Types& types, const Kinds& available,
                           const Budget& budget) {
  // Types of one level are alike, unless some are serial with others.
  Types alike = types;
  if (plan_.serial.empty())
    for (std::uint32_t& type : alike)
      type = plan_.level_of[type];
  const auto known = known_.find({alike, available});
  if (known != known_.end()) return known->second;
  Terms terms;
  const std::vector<Term> facts = cycle_facts(terms, plan_, types, available);
  logic::TermSolver solver(terms);
  for (const Term fact : facts)
    solver.add(fact);
  const SatAnswer answer = solver.solve({}, budget);
  if (answer == SatAnswer::Unknown) return true;
  const bool is_possible = answer == SatAnswer::Satisfiable;
  known_.emplace(std::pair(std::move(alike), available), is_possible);
  return is_possible;
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

class CycleSearch {
 public:
  CycleSearch(const Application& application, const Plan& plan, const Options& options,
              Result& result, Effort& effort)
      : application_(application),
        plan_(plan),
        options_(options),
        result_(result),
        effort_(effort),
        patterns_(plan),
        questions_(application, plan, options, effort) {}

  void run() {
    for (std::uint32_t length = 2; length <= options_.cycle_max; ++length) {
      if (length >= parts_from) look_at_parts(length);
      if (!parts_ || !parts_->windows().empty()) {
        Types types;
        if (!search_from(types, length)) return;
      }
      if (result_.unknown.empty()) result_.cycle_max = length;
    }
  }

 private:
  // Shorter cycles are searched sooner than their parts.
  static constexpr std::uint32_t parts_from = 4;

  // The parts that cycles of this length may have.
  void look_at_parts(std::uint32_t length) {
    if (!parts_)
      parts_.emplace(questions_,
                     [this](const Types& types) { return contains_found(types); });
    while (parts_->length() + 1 < length && !parts_->windows().empty())
      if (!parts_->grow()) break;
    known_parts_.clear();
    for (const Window& window : parts_->windows())
      known_parts_.insert(window.types);
  }

  // All cycles of types that begin so; false if the search is over.
  bool search_from(Types& types, std::size_t length) {
    if (options_.budget.is_exhausted()) {
      result_.unknown =
          fmt::format("{} at cycles of length {}", options_.budget.reason(), length);
      return false;
    }
    if (options_.stop_at_first && !result_.anomalies.empty()) return false;
    if (types.size() == length) {
      search_once(types);
      return true;
    }
    const auto type_count = static_cast<std::uint32_t>(application_.program().types.size());
    // The first rotation of a cycle begins with its least type.
    for (std::uint32_t type = types.empty() ? 0 : types.front(); type < type_count;
         ++type) {
      if (!types.empty() && application_.pairs(types.back(), type).empty()) continue;
      types.push_back(type);
      const bool goes_on = search_from(types, length);
      types.pop_back();
      if (!goes_on) return false;
    }
    return true;
  }

  void search_once(const Types& types) {
    if (!is_first_rotation(types) || contains_found(types) || !has_known_part(types) ||
        !is_conceivable(types))
      return;
    tell(types);
    search(types);
  }

  // The transaction that is arbitrated first may be any.
  [[nodiscard]] bool has_known_part(const Types& types) const {
    if (!parts_) return true;
    Types rotated = types;
    for (std::size_t i = 0; i < types.size(); ++i) {
      std::rotate(rotated.begin(), rotated.begin() + 1, rotated.end());
      const auto part = rotated.begin() + static_cast<std::ptrdiff_t>(parts_->length());
      if (known_parts_.contains(Types(rotated.begin(), part))) return true;
    }
    return false;
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

  // The levels leave a cycle possible for which there are statements.
  [[nodiscard]] bool is_conceivable(const Types& types) {
    Patterns::Kinds available;
    for (const auto& [from, to] : cycle_slots(types.size())) {
      std::uint8_t here = 0;
      for (std::size_t k = 0; k < kinds.size(); ++k)
        if (application_.has_kind(types[from], types[to], kinds[k]))
          here = static_cast<std::uint8_t>(here | 1U << k);
      if (here == 0) return false;
      available.push_back(here);
    }
    return patterns_.is_possible(types, available, options_.budget);
  }

  void search(const Types& types) {
    Chain chain(application_, plan_, types, cycle_slots(types.size()));
    require_watch(chain);
    Question question(chain, options_, effort_);
    if (types.size() > parts_from) require_shortest_cycle(chain, question);
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
  PathQuestions questions_;
  std::set<Types> found_;  // sorted
  std::optional<CycleParts> parts_;
  std::set<Types> known_parts_;
  std::vector<Term> watched_;
};

}  // namespace

void find_cycles(const Application& application, const Plan& plan, const Options& options,
                 Result& result, Effort& effort) {
  CycleSearch(application, plan, options, result, effort).run();
}

}  // namespace isomer::audit
