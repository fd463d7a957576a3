// SPDX-License-Identifier: MIT
#include "store/invariants.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/machine/evaluate.h"
#include "program/machine/keys.h"

namespace isomer::store {
namespace {

using program::Expression;

// NULL is not true.
bool is_true(const Value& value) {
  const bool* truth = value.get_if<bool>();
  return truth != nullptr && *truth;
}

// Runs a transaction that only reads, on a database that nobody changes.
InvariantOutcome answer_query(const Program& invariants, std::uint32_t type,
                              const FinalState& state, program::Granularity granularity) {
  InvariantOutcome out{.name = invariants.types[type].name, .holds = false, .error = {}};
  program::Call call;
  call.type = type;
  program::Machine machine(invariants, call, {}, granularity);
  for (;;) {
    program::Step step = machine.next();
    if (const auto* wants = std::get_if<program::WantsRead>(&step)) {
      const auto found = state.find(wants->key);
      machine.answer(found == state.end() ? Value() : found->second);
    } else if (const auto* scans = std::get_if<program::WantsUniverse>(&step)) {
      machine.answer(program::universe_of(scans->prefix, state));
    } else if (const auto* commits = std::get_if<program::Commits>(&step)) {
      out.holds = is_true(commits->result);
      return out;
    } else if (const auto* aborts = std::get_if<program::Aborts>(&step)) {
      out.error = aborts->reason;
      out.is_limit = aborts->is_limit;
      return out;
    } else {
      ISOMER_UNREACHABLE();
    }
  }
}

InvariantOutcome evaluate_assert(const Program& program,
                                 const program::Invariant& invariant,
                                 const std::vector<RanTransaction>& ran) {
  InvariantOutcome out{.name = invariant.name, .holds = false, .error = {}};
  program::Context context;
  context.named = [&](const Expression& local) {
    for (const RanTransaction& transaction : ran) {
      const TransactionOutcome& at = transaction.outcome;
      const program::Call& call = program.sessions[at.session].calls[at.index];
      if (program.types[call.type].name != local.label) continue;
      const auto found = transaction.locals.find(local.name);
      return found == transaction.locals.end() ? Value() : found->second;
    }
    return Value();
  };
  out.holds = program::holds(*invariant.assert, nullptr, context);
  if (context.fault) {
    out.error = context.fault->reason;
    out.is_limit = context.fault->is_limit;
  }
  return out;
}

}  // namespace

Program invariant_program(const Program& program) {
  Program out;
  out.name = program.name;
  out.file = program.file;
  out.source = program.source;
  out.tables = program.tables;
  for (const program::Invariant& invariant : program.invariants) {
    program::TransactionType& type = out.types.emplace_back();
    type.name = invariant.name;
    if (!invariant.query) continue;
    Expression truth;
    truth.kind = Expression::Kind::Scalar;
    truth.type = invariant.query->columns.front()->type;
    truth.query = invariant.query;
    program::Statement& statement = type.body.emplace_back();
    statement.kind = program::Statement::Kind::Return;
    statement.value = std::make_shared<const Expression>(std::move(truth));
    type.result = statement.value->type;
  }
  return out;
}

std::vector<InvariantOutcome> check_invariants(const Program& program,
                                               const Program& invariants,
                                               const FinalState& state,
                                               const std::vector<RanTransaction>& ran,
                                               program::Granularity granularity) {
  std::vector<InvariantOutcome> out;
  for (std::uint32_t i = 0; i < program.invariants.size(); ++i)
    out.push_back(program.invariants[i].query
                      ? answer_query(invariants, i, state, granularity)
                      : evaluate_assert(program, program.invariants[i], ran));
  return out;
}

}  // namespace isomer::store
