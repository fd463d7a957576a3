// SPDX-License-Identifier: MIT
// Constraints that are DEFERRABLE (rule 4 and 5): checked at COMMIT or by SET CONSTRAINTS,
// as they are checked at the end of a statement.
#include <algorithm>

#include "base/assert.h"
#include "database/postgresql/statement.h"
#include "program/machine/constraints.h"

namespace isomer::database::postgresql {

using program::ConstraintId;

namespace {

bool has(const std::vector<ConstraintId>& constraints, const ConstraintId& id) {
  return constraints.empty() ||
         std::find(constraints.begin(), constraints.end(), id) != constraints.end();
}

}  // namespace

// What a part of the transaction said that was undone does not count.
bool Statement::is_late(const ConstraintId& id, program::Deferral deferral) const {
  if (deferral == program::Deferral::None) return false;
  const auto& modes = standing_.constraint_modes;
  const auto last = std::find_if(modes.rbegin(), modes.rend(), [&](const auto& mode) {
    return state_.is_own(mode.actor, standing_.top) && has(mode.constraints, id);
  });
  return last != modes.rend() ? last->is_deferred
                              : deferral == program::Deferral::InitiallyDeferred;
}

bool Statement::check_now(const std::vector<ConstraintId>& constraints) {
  for (const LateCheck& check : standing_.late_checks) {
    if (!state_.is_own(check.actor, standing_.top) || !has(constraints, check.constraint))
      continue;
    const TableId table = check.constraint.table;
    switch (check.kind) {
      case LateCheck::Kind::Key:
        if (!check_key(table, check.index, check.place)) return false;
        break;
      case LateCheck::Kind::Parent:
        if (!check_parent(check.change,
                          state_.table(table).foreign_keys[check.constraint.number]))
          return false;
        break;
      case LateCheck::Kind::Children: {
        const auto& key = state_.table(table).foreign_keys[check.constraint.number];
        const Reference reference{.child = table, .key = &key};
        if (!refuse_children(reference,
                             program::picked(check.change.before.items(), key.referenced),
                             program::ReferenceAction::NoAction))
          return false;
        break;
      }
    }
  }
  return !is_stopped();
}

std::optional<Reply> Statement::check_at_commit() {
  if (!check_now({})) return std::nullopt;
  return Reply{};
}

std::optional<Reply> Statement::set_constraints() {
  const program::Statement& statement = *work_.what.statement;
  if (!statement.is_deferred && !check_now(statement.constraints)) return std::nullopt;
  return Reply{};
}

void Statement::keep_late_checks() {
  for (LateCheck& check : late_checks_) {
    check.actor = standing_.actor;
    standing_.late_checks.push_back(std::move(check));
  }
  const program::Statement* const statement = work_.what.statement;
  if (statement == nullptr || statement->kind != program::Statement::Kind::SetConstraints)
    return;
  if (!statement->is_deferred)
    std::erase_if(standing_.late_checks, [&](const LateCheck& check) {
      return has(statement->constraints, check.constraint);
    });
  standing_.constraint_modes.push_back({.constraints = statement->constraints,
                                        .is_deferred = statement->is_deferred,
                                        .actor = standing_.actor});
}

}  // namespace isomer::database::postgresql
