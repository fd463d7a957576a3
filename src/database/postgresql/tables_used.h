// SPDX-License-Identifier: MIT
// Which tables a statement uses, and whether it has steps inside of it.  Private to the
// model.
#pragma once

#include <vector>

#include "database/postgresql/state.h"
#include "database/stepped_server.h"

namespace isomer::database::postgresql {

struct TableUse {
  program::TableId table;
  program::TableLock mode;
};

// All tables that a statement uses, with the locks that it takes of them, in their order.
std::vector<TableUse> tables_of(const program::AsksServer& what);
// Each once.
std::vector<program::TableId> tables_read(const program::AsksServer& what);
// What a statement may read by its snapshot after the step that takes it: subqueries of
// SET, of RETURNING, and of what is looked at again in newer versions of rows.
std::vector<TableUse> late_tables_of(const program::AsksServer& what);
// Does it lock rows in a query inside of it, or change rows in its WITH?
bool has_inner_steps(const program::AsksServer& what);

}  // namespace isomer::database::postgresql
