// SPDX-License-Identifier: MIT
#include "synth/search.h"

#include <algorithm>

#include "base/assert.h"
#include "level/encoder.h"
#include "level/eval.h"
#include "logic/relation.h"
#include "synth/merged_reads.h"

namespace isomer::synth {
namespace {

using level::is_included;
using level::is_init_first;
using level::LeastForm;
using level::Op;
using level::Term;
using level::TermId;
using logic::Relation;
using logic::SatAnswer;

// 0 < 1 < 2 ...
Relation numbering(std::size_t size) {
  Relation out(size, size, logic::false_bit);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i + 1; j < size; ++j)
      out(i, j) = logic::true_bit;
  return out;
}

// An order of some transactions as an order of all: the others keep their places, and the
// ordered ones share the places that they had.
Relation order_of_all(const Matrix<Truth>& order) {
  const std::size_t size = order.rows();
  std::vector<std::size_t> before(size, 0);
  std::vector<bool> is_ordered(size, false);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      if (order(i, j) != 0) {
        ++before[j];
        is_ordered[i] = is_ordered[j] = true;
      }
  std::vector<std::size_t> ordered;
  for (std::size_t i = 0; i < size; ++i)
    if (is_ordered[i]) ordered.push_back(i);
  std::vector<std::size_t> sorted = ordered;
  std::ranges::sort(sorted, {}, [&](std::size_t i) { return before[i]; });
  std::vector<std::size_t> place(size);
  for (std::size_t i = 0; i < size; ++i)
    place[i] = i;
  for (std::size_t i = 0; i < ordered.size(); ++i)
    place[sorted[i]] = ordered[i];
  Relation out(size, size, logic::false_bit);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      out(i, j) = logic::constant(place[i] < place[j]);
  return out;
}

Execution<Bit> orders_of_all(const level::Level& level, const Execution<Truth>& execution) {
  Execution<Bit> out;
  for (std::size_t w = 0; w < execution.size(); ++w) {
    auto& relations = out.emplace_back();
    if (level.witnesses[w].is_total_order)
      for (const Matrix<Truth>& order : execution[w])
        relations.push_back(order_of_all(order));
  }
  return out;
}

// Whether `relation` contains so, or wr, whatever the rest of it is.
bool contains(const level::Level& level, TermId relation, Op wanted) {
  const Term& t = level.terms[relation];
  const auto argument = [&](std::size_t i) { return t.arguments()[i]; };
  const auto is_reflexive = [&](TermId id) {
    return level.terms[id].op == Op::Optional || level.terms[id].op == Op::Star;
  };
  switch (t.op) {
    case Op::Union:
      return contains(level, argument(0), wanted) || contains(level, argument(1), wanted);
    case Op::Compose:
      return (is_reflexive(argument(1)) && contains(level, argument(0), wanted)) ||
             (is_reflexive(argument(0)) && contains(level, argument(1), wanted));
    case Op::Optional:
    case Op::Plus:
    case Op::Star:
      return contains(level, argument(0), wanted);
    default:
      return t.op == wanted && t.argument_count == 0;
  }
}

bool are_rules_free_of_reads(const LeastForm& form) {
  return std::ranges::all_of(form.rules, [&](const level::Rule& rule) {
    return is_free_of_reads(form.level, rule.body);
  });
}

}  // namespace

bool has_single_reads(const Problem& problem, const Options& options) {
  const auto uses_events = [](const LeastForm& form) { return form.level.uses_events; };
  return options.has_events || std::ranges::any_of(problem.allow, uses_events) ||
         std::ranges::any_of(problem.forbid, uses_events);
}

OpenHistoryShape shape_of(const Problem& problem, const Scope& scope,
                          const Options& options) {
  OpenHistoryShape shape{.scope = scope,
                         .has_events = has_single_reads(problem, options),
                         .allows_blind_writes = options.allows_blind_writes,
                         .is_so_partial_order = options.is_so_partial_order,
                         .type_names = {}};
  for (const auto* side : {&problem.allow, &problem.forbid})
    for (const LeastForm& form : *side) {
      shape.has_values |= form.level.uses_values;
      for (const std::string& name : form.level.type_names)
        if (std::ranges::find(shape.type_names, name) == shape.type_names.end())
          shape.type_names.push_back(name);
    }
  return shape;
}

Search::Search(const Problem& problem, const Scope& scope, const Options& options,
               Reads reads)
    : problem_(problem),
      scope_(scope),
      options_(options),
      reads_(reads),
      finder_(circuit_, options.budget) {
  choose_fixed_order();
  open_ = make_open_history(circuit_, shape());
  for (const Bit fact : open_.facts)
    finder_.require(fact);
  encode_allowed();
  if (has_smart_search()) learn_first_lessons();
  if (options_.algorithm == Algorithm::NoLearning) break_open_executions();
}

bool Search::has_fixed_order() const {
  return options_.algorithm == Algorithm::Cegis &&
         options_.baseline != Baseline::NoFixedOrder &&
         options_.baseline != Baseline::Naive;
}

bool Search::has_smart_search() const {
  return options_.algorithm == Algorithm::Cegis &&
         options_.baseline != Baseline::NoSmartSearch &&
         options_.baseline != Baseline::Naive;
}

// Any total order of all transactions that begins with init will do.
void Search::choose_fixed_order() {
  if (!has_fixed_order()) return;
  for (std::size_t i = 0; i < problem_.allow.size() && !fixed_; ++i) {
    const level::Level& level = problem_.allow[i].level;
    const std::optional<std::uint32_t> order = main_order(level);
    if (order && is_init_first(level, *order)) fixed_ = i;
  }
  if (!fixed_) choose_acyclic_relation();
}

// The last one: levels add axioms to those that they build on.
void Search::choose_acyclic_relation() {
  for (std::size_t i = 0; i < problem_.allow.size() && !acyclic_; ++i) {
    const level::Level& level = problem_.allow[i].level;
    for (const level::Axiom& axiom : level.axioms) {
      const Term& t = level.terms[axiom.formula];
      if (t.op == Op::Acyclic && is_free_of_reads(level, t.arguments()[0]))
        acyclic_ = {i, t.arguments()[0]};
    }
  }
}

// The initial transaction keeps its number, wherever the relation has it.
void Search::number_by_acyclic_relation() {
  const level::Level& level = problem_.allow[acyclic_->level].level;
  level::Encoder encoder(circuit_, level, open_.tables, executions_[acyclic_->level]);
  const Relation& relation = encoder.relation(acyclic_->relation);
  for (std::size_t i = 1; i < relation.rows(); ++i)
    for (std::size_t j = 1; j < i; ++j)
      finder_.require(~relation(i, j));
}

// Where nothing else says what the numbering is, it is a topological order of so, which
// exists always.
OpenHistoryShape Search::shape() const {
  OpenHistoryShape shape = shape_of(problem_, scope_, options_);
  shape.has_merged_reads = reads_ == Reads::Merged;
  if (fixed_) {
    const level::Level& level = problem_.allow[*fixed_].level;
    const std::uint32_t order = *main_order(level);
    shape.so_goes_up = is_included(level, Op::So, order);
    shape.wr_goes_up = is_included(level, Op::Wr, order);
  }
  if (acyclic_) {
    const level::Level& level = problem_.allow[acyclic_->level].level;
    shape.so_goes_up = contains(level, acyclic_->relation, Op::So);
    shape.wr_goes_up = contains(level, acyclic_->relation, Op::Wr);
  }
  return shape;
}

void Search::encode_allowed() {
  for (std::size_t i = 0; i < problem_.allow.size(); ++i) {
    std::vector<Bit> facts;
    executions_.push_back(execution_of_allowed(i, facts));
    for (const Bit fact : facts)
      finder_.require(fact);
    const level::Level& level = problem_.allow[i].level;
    const std::vector<Bit> axioms =
        encode_axioms(circuit_, level, open_.tables, executions_[i]);
    for (std::size_t axiom = 0; axiom < axioms.size(); ++axiom)
      if (is_kept(level, level.axioms[axiom])) finder_.require(axioms[axiom]);
  }
  if (acyclic_) number_by_acyclic_relation();
}

// What merged reads say of an allowed level's axiom about reads means nothing.
bool Search::is_kept(const level::Level& level, const level::Axiom& axiom) const {
  return reads_ == Reads::Single || is_free_of_reads(level, axiom.formula);
}

Execution<Bit> Search::execution_of_allowed(std::size_t i, std::vector<Bit>& facts) {
  const LeastForm& form = problem_.allow[i];
  const HistoryTables<Bit>& tables = open_.tables;
  if (fixed_ != i) return open_execution(circuit_, form.level, tables, facts);
  const Relation order = numbering(tables.txn_count());
  const auto orders = std::ranges::count_if(
      form.level.witnesses, [](const level::Witness& w) { return w.is_total_order; });
  if (form.is_least_decided && orders == 1)
    return least_execution(circuit_, form, tables, orders_alike(form.level, tables, order));
  Execution<Bit> execution = open_execution(circuit_, form.level, tables, facts);
  execution[*main_order(form.level)].front() = order;
  return execution;
}

void Search::learn_first_lessons() {
  for (const LeastForm& forbidden : problem_.forbid) {
    if (!can_teach(forbidden)) continue;
    if (acyclic_)
      must_break(forbidden,
                 least_execution(circuit_, forbidden, open_.tables,
                                 orders_alike(forbidden.level, open_.tables,
                                              numbering(open_.tables.txn_count()))));
    for (std::size_t i = 0; i < problem_.allow.size(); ++i) {
      const level::Level& allowed = problem_.allow[i].level;
      if (allowed.framework == forbidden.level.framework &&
          allowed.file == forbidden.level.file)
        must_break(forbidden, executions_[i]);
      if (const std::optional<std::uint32_t> order = main_order(allowed))
        must_break(forbidden,
                   least_execution(circuit_, forbidden, open_.tables,
                                   orders_alike(forbidden.level, open_.tables,
                                                executions_[i][*order].front())));
    }
  }
}

// With merged reads: every axiom that a history breaks, its merged one breaks too.
bool Search::can_teach(const LeastForm& form) const {
  if (reads_ == Reads::Single) return true;
  return are_rules_free_of_reads(form) &&
         std::ranges::all_of(form.level.axioms, [&](const level::Axiom& axiom) {
           return stays_false_merged(form.level, axiom.formula);
         });
}

Search::Answer Search::any_merged() {
  ISOMER_ASSERT(reads_ == Reads::Merged);
  switch (finder_.solve(options_.budget)) {
    case SatAnswer::Satisfiable:
      return Answer::Found;
    case SatAnswer::Unsatisfiable:
      return Answer::None;
    case SatAnswer::Unknown:
      break;
  }
  return Answer::Unknown;
}

// The paper's baseline without learning: some execution of each forbidden level fails. (All
// must; but that some does is all that one question can say.)
void Search::break_open_executions() {
  for (const LeastForm& forbidden : problem_.forbid) {
    std::vector<Bit> facts;
    const Execution<Bit> execution =
        open_execution(circuit_, forbidden.level, open_.tables, facts);
    for (const Bit fact : facts)
      finder_.require(fact);
    must_break(forbidden, execution);
  }
}

// Not all axioms hold of this execution.
void Search::must_break(const LeastForm& form, const Execution<Bit>& execution) {
  std::vector<Bit> broken;
  for (const Bit axiom : encode_axioms(circuit_, form.level, open_.tables, execution))
    broken.push_back(~axiom);
  finder_.require_any(broken);
}

Search::Answer Search::next(std::span<const Bit> assumptions) {
  for (;;) {
    const SatAnswer answer = finder_.solve(options_.budget, assumptions);
    if (answer == SatAnswer::Unknown) return Answer::Unknown;
    if (answer == SatAnswer::Unsatisfiable) return Answer::None;
    read_candidate();
    ++candidate_count_;
    bool is_refuted = false;
    for (const LeastForm& form : problem_.forbid)
      switch (refute_candidate(form)) {
        case Answer::Found:
          is_refuted = true;
          break;
        case Answer::None:
          break;
        case Answer::Unknown:
          return Answer::Unknown;
      }
    if (!is_refuted) return Answer::Found;
    if (options_.algorithm == Algorithm::NoLearning) exclude_candidate();
  }
}

// Finds a counterexample and, unless that is switched off, learns from it.  Where the level
// has a fast checker, its order is one by itself.
Search::Answer Search::refute_candidate(const LeastForm& form) {
  const HistoryTables<Truth>& tables = candidate_.tables;
  const bool learns = options_.algorithm == Algorithm::Cegis;
  if (learns && options_.baseline == Baseline::None) {
    const std::optional<ExecutionAnswer> fast =
        ask_fast_checker(form.level, tables, options_.budget);
    if (fast && std::holds_alternative<NoExecution>(*fast)) return Answer::None;
    const auto* order = fast ? std::get_if<Execution<Truth>>(&*fast) : nullptr;
    if (order != nullptr && learn_order(form, *order)) return Answer::Found;
  }
  const ExecutionAnswer answer = find_execution(form, tables, options_.budget, false);
  if (std::holds_alternative<OutOfTime>(answer)) return Answer::Unknown;
  const auto* counterexample = std::get_if<Execution<Truth>>(&answer);
  if (counterexample == nullptr) return Answer::None;
  if (!learns) return Answer::Found;
  if (options_.baseline == Baseline::Naive || !learn_order(form, *counterexample))
    learn_execution(form, *counterexample);
  return Answer::Found;
}

void Search::read_candidate() {
  candidate_.tables = level::concrete(finder_, open_.tables);
  candidate_.executions.clear();
  for (const Execution<Bit>& execution : executions_)
    candidate_.executions.push_back(level::concrete(finder_, execution));
  candidate_choices_.clear();
  for (const Bit choice : open_.choices)
    candidate_choices_.push_back(finder_.value(choice));
}

// The order alone, with the least relations under it.  False if these do not make an
// execution of the candidate, so that it would come again.
bool Search::learn_order(const LeastForm& form, const Execution<Truth>& counterexample) {
  const Execution<Bit> least = least_execution(circuit_, form, open_.tables,
                                               orders_of_all(form.level, counterexample));
  std::vector<Bit> broken;
  for (const Bit axiom : encode_axioms(circuit_, form.level, open_.tables, least)) {
    if (!finder_.value(axiom)) return false;
    broken.push_back(~axiom);
  }
  finder_.require_any(broken);
  return true;
}

// The very relations that were found.
void Search::learn_execution(const LeastForm& form,
                             const Execution<Truth>& counterexample) {
  const Execution<Bit> orders = orders_of_all(form.level, counterexample);
  Execution<Bit> execution = level::constant_execution(counterexample);
  for (std::uint32_t w = 0; w < execution.size(); ++w)
    for (std::size_t key = 0; key < orders[w].size(); ++key)
      execution[w][key] =
          restrict_order(circuit_, form.level, w, key, orders[w][key], open_.tables);
  must_break(form, execution);
}

void Search::exclude_candidate() {
  std::vector<Bit> different;
  for (std::size_t i = 0; i < open_.choices.size(); ++i)
    different.push_back(candidate_choices_[i] ? ~open_.choices[i] : open_.choices[i]);
  finder_.require_any(different);
}

Bit Search::operations_at_most(std::size_t bound) {
  if (operation_counts_.empty())
    operation_counts_ = count(circuit_, open_.operations, open_.operations.size());
  return bound < operation_counts_.size() ? ~operation_counts_[bound] : logic::true_bit;
}

Bit Search::session_pairs_at_most(std::size_t bound) {
  std::vector<Bit> pairs;
  for (std::size_t i = 1; i <= scope_.transactions; ++i)
    for (std::size_t j = 1; j <= scope_.transactions; ++j)
      if (open_.tables.so(i, j) != logic::false_bit) pairs.push_back(open_.tables.so(i, j));
  return bound < pairs.size() ? ~count(circuit_, pairs, bound + 1).back() : logic::true_bit;
}

// Keys are in falling order, so unused ones are last.
Bit Search::keys_at_most(std::size_t bound) {
  return bound < scope_.keys ? ~open_.tables.key_exists[bound] : logic::true_bit;
}

Bit Search::values_at_most(std::size_t bound) {
  if (bound == 0) return logic::false_bit;  // the initial value is one
  std::vector<Bit> parts;
  for (std::size_t value = bound; value < open_.tables.value_exists.size(); ++value)
    parts.push_back(~open_.tables.value_exists[value]);
  for (const std::vector<Bit>& writers : open_.tables.writers) {
    const std::vector<Bit> others(writers.begin() + 1, writers.end());
    if (bound <= others.size()) parts.push_back(~count(circuit_, others, bound).back());
  }
  return circuit_.all(parts);
}

void Search::prefer_operations(bool wanted) {
  for (const Bit choice : open_.choices)
    finder_.prefer(wanted ? choice : ~choice);
}

}  // namespace isomer::synth
