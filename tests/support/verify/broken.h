// SPDX-License-Identifier: MIT
// What `verify --constraints --no-lost-updates` must find in an SQL program with concrete
// data, by brute force: every history, every final state, every rule as it is stated.
#pragma once

#include <set>
#include <string>

#include "support/explore/brute_force.h"

namespace isomer::verify {

// The names of the invariants that some execution of the level breaks, as verify has them:
// those of the scenario, "ASSERT", "unique t (a, b)", "foreign key t (a) to u", "no lost
// updates".  The space has rows for keys.
std::set<std::string> broken(const explore::Space& space, explore::AnyLevel level);

}  // namespace isomer::verify
