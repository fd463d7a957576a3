// SPDX-License-Identifier: MIT
#include "store/store.h"

#include <functional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "program/machine/keys.h"
#include "program/machine/references.h"
#include "program/machine/serial.h"
#include "store/final_states.h"
#include "store/invariants.h"
#include "store/ran_transaction.h"
#include "store/runner.h"

namespace isomer::store {
namespace {

// A run may insert rows that a scan should have looked for.  So it is repeated, from the
// same seed, until it writes no key that its scans did not know of.  A script knows of
// those that its run wrote.
constexpr int universe_rounds_max = 20;

bool has_order_of_its_own(const Options& options) {
  return options.policy == Policy::Latest || !options.level;
}

FinalStates ends_of(const FinalState& initial, const std::vector<RanTransaction>& ran,
                    const Options& options) {
  if (has_order_of_its_own(options))
    return {.states = {final_state_in_order(initial, ran)}, .is_complete = true};
  return final_states(initial, ran, *options.level, options.budget);
}

// An invariant must hold in every final state; the state that is shown is the first that
// breaks one.
void judge(Run& run, FinalStates ends,
           const std::function<std::vector<InvariantOutcome>(const FinalState&)>& check) {
  std::optional<std::size_t> shown;
  for (std::size_t i = 0; i < ends.states.size(); ++i) {
    std::vector<InvariantOutcome> outcomes = check(ends.states[i]);
    if (i == 0) run.invariants = outcomes;
    for (std::size_t k = 0; k < outcomes.size(); ++k) {
      if (outcomes[k].holds) continue;
      if (!shown) shown = i;
      InvariantOutcome& sum = run.invariants[k];
      sum.holds = false;
      ++sum.broken_states;
      if (sum.error.empty()) sum.error = outcomes[k].error;
      sum.is_limit = sum.is_limit || outcomes[k].is_limit;
    }
  }
  run.final_state = std::move(ends.states[shown.value_or(0)]);
  run.final_state_count = ends.states.size();
  run.has_all_final_states = ends.is_complete;
}

// What we could not compute, and a server might have.
std::string limit_met(const Run& run, const std::vector<RanTransaction>& ran) {
  for (const RanTransaction& transaction : ran)
    if (transaction.outcome.is_limit)
      return fmt::format("{}: {}", transaction.type, transaction.outcome.reason);
  for (const InvariantOutcome& invariant : run.invariants)
    if (invariant.is_limit)
      return fmt::format("invariant \"{}\": {}", invariant.name, invariant.error);
  return {};
}

void collect_symbols(const program::Expression& expression, std::set<std::string>& names) {
  if (expression.kind == program::Expression::Kind::Symbol) names.insert(expression.name);
  for (const program::ExpressionPtr& part : expression.arguments)
    collect_symbols(*part, names);
  if (expression.query)
    program::visit_parts(*expression.query, [&](const program::Expression& part) {
      collect_symbols(part, names);
    });
}

}  // namespace

Diagnostics missing_values(const Program& program) {
  std::set<std::string> used;
  for (const program::Session& session : program.sessions)
    for (const program::Call& call : session.calls)
      for (const program::ExpressionPtr& argument : call.arguments)
        collect_symbols(*argument, used);
  for (const program::Invariant& invariant : program.invariants)
    if (invariant.query)
      program::visit_parts(*invariant.query, [&](const program::Expression& part) {
        collect_symbols(part, used);
      });
  Diagnostics out;
  for (const program::Symbol& symbol : program.symbols)
    if (!symbol.value && used.contains(symbol.name))
      out.push_back(program::diagnostic_in(
          program, symbol.at.first,
          fmt::format("?{0} has no value to run with; add [values] {0} = ...",
                      symbol.name)));
  return out;
}

Store::Store(const Program& program)
    : program_(program), invariants_(invariant_program(program)) {
  for (const program::Session& session : program.sessions)
    for (const program::Call& call : session.calls)
      arguments_.push_back(program::argument_values(call));
}

// Scans look for the rows that are there at first, and those that somebody wrote in this
// run.  If such a run leaves its script, the script may be of a run where more was written:
// then for all keys that the script speaks of.
Run Store::run(const Options& options) const {
  const FinalState initial = program::initial_database(program_, options.granularity);
  KeyUniverse universe = initial;
  bool has_script_keys = options.script == nullptr;
  for (int round = 1;; ++round) {
    Runner runner(program_, arguments_, options, universe);
    const bool is_complete = runner.run();
    if (!runner.new_keys().empty() && round < universe_rounds_max && is_complete) {
      universe.insert(runner.new_keys().begin(), runner.new_keys().end());
      continue;
    }
    if (runner.divergence() && !std::exchange(has_script_keys, true)) {
      for (history::KeyId x{0}; x.index < options.script->key_count(); ++x.index)
        universe.try_emplace(options.script->key_name(x));
      continue;
    }
    const std::vector<RanTransaction>& ran = runner.transactions();
    Run out;
    FinalStates ends = ends_of(initial, ran, options);
    if (ends.states.empty()) {
      out.is_allowed = !ends.is_complete;
      ends.states.push_back(final_state_in_order(initial, ran));
    }
    judge(out, std::move(ends), [&](const FinalState& state) {
      return check_invariants(program_, invariants_, state, ran, options.granularity);
    });
    out.history = record(program_, options.granularity, ran);
    for (const RanTransaction& transaction : ran)
      out.transactions.push_back(transaction.outcome);
    out.divergence = runner.divergence();
    out.unknown = limit_met(out, ran);
    if (!is_complete || options.budget.is_exhausted())
      out.unknown = options.budget.reason();
    return out;
  }
}

}  // namespace isomer::store
