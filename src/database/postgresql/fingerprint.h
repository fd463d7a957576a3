// SPDX-License-Identifier: MIT
// What tells two moments of a server apart.  Names that depend on who was faster (numbers
// of transactions and of commits) are left out, and so is what nobody can see any more; so
// different orders of the same steps come to the same fingerprint.
#pragma once

#include <vector>

#include "base/fingerprint.h"
#include "database/postgresql/backends.h"
#include "program/ir.h"

namespace isomer::database::postgresql {

// Rows, locks, snapshots, who sleeps, and what the statements on their way have found. What
// the sessions know of earlier replies is the caller's business.  The order of rows counts
// for the tables that have one (tables_with_order).
void add(Digest& digest, const Backends& backends, std::size_t sessions,
         const std::vector<bool>& has_order);

// What falling asleep over a request touches: the queue.
Footprint footprint_of_sleep(const State& state, const Request& request);

// Scans go by the places of rows in the heap, and so may the names of states
// (scan_order.cpp).

// By table: may the order of its rows decide what a statement of the program returns, or in
// which order it locks?  Not if rows are looked up by their primary keys, or only counted
// and summed up.
std::vector<bool> tables_with_order(const program::Program& program);

}  // namespace isomer::database::postgresql
