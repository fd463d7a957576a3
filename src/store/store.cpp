// SPDX-License-Identifier: MIT
#include "store/store.h"

#include <algorithm>

#include "check/check.h"
#include "program/evaluate.h"
#include "program/keys.h"
#include "store/invariants.h"
#include "store/record.h"
#include "store/runner.h"

namespace isomer::store {
namespace {

// A run may insert rows that a scan should have looked for.  So it is repeated, from the
// same seed, until it writes no key that its scans did not know of.
constexpr int universe_rounds_max = 20;

// In which order commits are to be taken: that of the run itself, which is also the order
// of a serial run; or else the one that explains the history under the level.
std::vector<std::size_t> commit_order(const Recorded& recorded,
                                      const std::vector<RanTransaction>& ran,
                                      const Options& options) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < ran.size(); ++i)
    if (ran[i].outcome.is_committed) order.push_back(i);
  if (options.policy != Policy::Random) return order;
  const check::Result result = check::check(
      recorded.history,
      {.levels = {*options.level}, .budget = options.budget, .explain = false});
  const auto* witness = std::get_if<check::Consistent>(&result.levels.front().verdict);
  if (witness == nullptr || witness->commit_order.empty()) return order;
  std::vector<std::size_t> place(recorded.history.txn_count(), 0);
  for (std::size_t i = 0; i < witness->commit_order.size(); ++i)
    place[witness->commit_order[i].index] = i;
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return place[recorded.ids[i].index]; });
  return order;
}

FinalState final_state(FinalState state, const std::vector<RanTransaction>& ran,
                       const std::vector<std::size_t>& order) {
  for (const std::size_t i : order)
    for (const Access& access : ran[i].accesses)
      if (access.is_write) state[access.key] = access.value;
  std::erase_if(state, [](const auto& entry) { return entry.second.is_null(); });
  return state;
}

// Constants, and symbols with the values that the scenario gives them.
std::vector<Value> argument_values(const program::Call& call) {
  program::Context context;
  context.named = [](const program::Expression& symbol) { return symbol.value; };
  std::vector<Value> out;
  for (const program::ExpressionPtr& argument : call.arguments)
    out.push_back(program::evaluate(*argument, nullptr, context));
  return out;
}

}  // namespace

Store::Store(const Program& program)
    : program_(program), invariants_(invariant_program(program)) {
  for (const program::Session& session : program.sessions)
    for (const program::Call& call : session.calls)
      arguments_.push_back(argument_values(call));
}

Run Store::run(const Options& options) const {
  const FinalState initial = program::initial_database(program_, options.granularity);
  KeyUniverse universe = initial;
  for (int round = 1;; ++round) {
    Runner runner(program_, arguments_, options, universe);
    const bool is_complete = runner.run();
    if (!runner.new_keys().empty() && round < universe_rounds_max && is_complete) {
      universe.insert(runner.new_keys().begin(), runner.new_keys().end());
      continue;
    }
    const std::vector<RanTransaction>& ran = runner.transactions();
    Recorded recorded = record(program_, options, ran);
    Run out;
    out.final_state = final_state(initial, ran, commit_order(recorded, ran, options));
    out.invariants =
        check_invariants(program_, invariants_, out.final_state, ran, options.granularity);
    out.history = std::move(recorded.history);
    for (const RanTransaction& transaction : ran)
      out.transactions.push_back(transaction.outcome);
    out.divergence = runner.divergence();
    if (!is_complete) out.unknown = options.budget.reason();
    return out;
  }
}

}  // namespace isomer::store
