// SPDX-License-Identifier: MIT
#include "store/campaign.h"

#include <algorithm>

#include "check/check.h"
#include "check/uncertified.h"

namespace isomer::store {

bool is_failing(const Run& run) {
  return std::ranges::any_of(run.invariants,
                             [](const InvariantOutcome& i) { return !i.holds; }) ||
         std::ranges::any_of(run.transactions, [](const TransactionOutcome& t) {
           return t.has_failed_assert;
         });
}

std::optional<bool> is_serializable(const Run& run, const Budget& budget) {
  const check::Result result = *check::certified_answers(
      run.history, {.levels = {check::Level::SER}, .budget = budget});
  const check::Verdict& verdict = result.levels.front().verdict;
  if (std::holds_alternative<check::Unknown>(verdict)) return std::nullopt;
  return std::holds_alternative<check::Consistent>(verdict);
}

Campaign run_many(const StoreOfSeed& store, const Options& options, std::uint64_t runs) {
  Campaign out;
  for (std::uint64_t i = 0; i < runs; ++i) {
    Options one = options;
    one.seed = options.seed + i;
    const Store* program = store(one.seed);
    if (program == nullptr) return out;
    const Run run = program->run(one);
    const check::Verdict verdict =
        check::uncertified_verdict(run.history, check::Level::SER, options.budget);
    if (!run.unknown.empty() || std::holds_alternative<check::Unknown>(verdict)) {
      out.unknown = run.unknown.empty() ? options.budget.reason() : run.unknown;
      return out;
    }
    ++out.runs;
    out.transactions += run.transactions.size();
    out.rolled_back += static_cast<std::uint64_t>(
        std::ranges::count(run.transactions, false, &TransactionOutcome::is_committed));
    for (const InvariantOutcome& invariant : run.invariants)
      ++(invariant.holds ? out.invariants[invariant.name].held
                         : out.invariants[invariant.name].broken);
    if (is_failing(run)) {
      ++out.failing;
      if (!out.first_failing_seed) out.first_failing_seed = one.seed;
    }
    if (std::holds_alternative<check::Violated>(verdict)) {
      ++out.unserializable;
      if (!out.first_unserializable_seed) out.first_unserializable_seed = one.seed;
    }
  }
  return out;
}

}  // namespace isomer::store
