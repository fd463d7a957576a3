// SPDX-License-Identifier: MIT
// Scans go by the places of rows in the heap.  For which tables can anybody tell?
#pragma once

#include <vector>

#include "program/ir.h"

namespace isomer::database::postgresql {

// By table: may the order of its rows decide what a statement of the program returns, or in
// which order it locks?  Not if rows are looked up by their primary keys, or only counted
// and summed up.
std::vector<bool> tables_with_order(const program::Program& program);

}  // namespace isomer::database::postgresql
