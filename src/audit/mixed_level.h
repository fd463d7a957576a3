// SPDX-License-Identifier: MIT
// The levels of a plan as one level, whose axioms tell the types apart.
#pragma once

#include "audit/audit.h"

namespace isomer::audit {

// What the database promises if each type has its own level.
//
// A level that all types have stays as it is.  Of any other, an axiom `r in s` becomes
// `r & ar & (Txn * T) in s`, where T are the types of that level: it is a promise to the
// later one of two transactions.  Axioms of another shape are dropped.  Serial pairs see
// each other, in the order of arbitration.
level::Level mixed_level(const Plan& plan);

// The place of the relation among the level's witnesses; the level must have it.
std::uint32_t witness_named(const level::Level& level, std::string_view name);

}  // namespace isomer::audit
