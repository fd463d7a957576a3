// SPDX-License-Identifier: MIT
#include "explore/assertion_checker.h"

#include <algorithm>

#include "program/machine/evaluate.h"
#include "program/machine/keys.h"

namespace isomer::explore {
namespace {

constexpr std::size_t remembered_states_max = 50'000;

}  // namespace

template <std::size_t Words>
AssertionChecker<Words>::AssertionChecker(const Program& program,
                                          const std::vector<ProgramTxn>& transactions,
                                          const Runs& runs,
                                          program::Granularity granularity, Wanted wanted)
    : program_(program),
      transactions_(transactions),
      runs_(runs),
      granularity_(granularity),
      wanted_(std::move(wanted)),
      invariants_(store::invariant_program(program)) {
  for (const program::Invariant& invariant : program.invariants)
    (invariant.query ? has_queries_ : has_final_asserts_) = true;
}

template <std::size_t Words>
std::optional<Offence> AssertionChecker<Words>::offence_of(
    const OrderedHistory<Words>& history, const Admission& admission) {
  if (std::optional<Offence> out = failed_assert(history)) return out;
  if (has_final_asserts_) return failed_final_assert(history);
  std::optional<Offence> out;
  if (!has_queries_) return out;
  for_each_final_state<Words>(history, admission, [&](const FinalVersions& final_versions) {
    if (const std::optional<Broken>& broken = broken_invariant(final_versions))
      out = Offence{.kind = FailureKind::Invariant,
                    .name = broken->name,
                    .message = broken->error,
                    .at = {},
                    .last = final_versions,
                    .is_limit = broken->is_limit};
    return !out;
  });
  return out;
}

template <std::size_t Words>
std::optional<Offence> AssertionChecker<Words>::failed_assert(
    const OrderedHistory<Words>& history) const {
  if (!wanted_.matches(FailureKind::Assert, wanted_.name)) return std::nullopt;
  for (const OrderedTxn& txn : history.transactions())
    if (txn.node->fails_assert &&
        (wanted_.name.empty() || wanted_.name == txn.node->message))
      return Offence{.kind = FailureKind::Assert,
                     .name = {},
                     .message = txn.node->message,
                     .at = txn.node->at};
  return std::nullopt;
}

template <std::size_t Words>
std::optional<Offence> AssertionChecker<Words>::failed_final_assert(
    const OrderedHistory<Words>& history) const {
  program::Context context;
  context.named = [&](const program::Expression& local) {
    for (const OrderedTxn& txn : history.transactions()) {
      const ProgramTxn& transaction = transactions_[txn.number];
      const program::Call& call =
          program_.sessions[transaction.session].calls[transaction.index];
      if (program_.types[call.type].name == local.label)
        return txn.node->machine.local(local.name);
    }
    return Value();
  };
  for (const program::Invariant& invariant : program_.invariants) {
    if (!wanted_.matches(FailureKind::Invariant, invariant.name)) continue;
    context.fault.reset();
    if (program::holds(*invariant.assert, nullptr, context)) continue;
    return Offence{.kind = FailureKind::Invariant,
                   .name = invariant.name,
                   .message = context.fault ? context.fault->reason : std::string(),
                   .at = {},
                   .is_limit = context.fault && context.fault->is_limit};
  }
  return std::nullopt;
}

template <std::size_t Words>
auto AssertionChecker<Words>::broken_invariant(const FinalVersions& final_versions)
    -> const std::optional<Broken>& {
  Versions versions;
  for (const FinalVersion& version : final_versions.versions)
    versions.emplace_back(version.key, version.value);
  const auto known = broken_.find(versions);
  if (known != broken_.end()) return known->second;
  if (broken_.size() == remembered_states_max) broken_.clear();

  store::FinalState state = program::initial_database(program_, granularity_);
  for (const auto& [key, value] : versions)
    state[runs_.key_name(key)] = runs_.value(value);
  std::erase_if(state, [](const auto& entry) { return entry.second.is_null(); });
  std::optional<Broken> broken;
  for (const store::InvariantOutcome& outcome :
       store::check_invariants(program_, invariants_, state, {}, granularity_))
    if (!outcome.holds && !broken && wanted_.matches(FailureKind::Invariant, outcome.name))
      broken = Broken{
          .name = outcome.name, .error = outcome.error, .is_limit = outcome.is_limit};
  return broken_.emplace(std::move(versions), std::move(broken)).first->second;
}

template class AssertionChecker<1>;
template class AssertionChecker<4>;

}  // namespace isomer::explore
