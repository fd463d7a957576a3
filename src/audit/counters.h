// SPDX-License-Identifier: MIT
// Records that are numbered by a counter: `SELECT n FROM a ..; UPDATE a SET n = n + 1 ..;
// INSERT INTO b VALUES (.., n, ..)`.
//
// A column is a counter if every statement that writes it makes it larger, and the table it
// is in has no rows that come or go.  A table is numbered by it if every INSERT takes the
// number for its key from the counter, raises the counter, and has the key of the counter's
// row in its own key.
//
// Where writers of one record see each other and visibility is transitive, such numbers
// grow along visibility.  So who sees a record sees every transaction that inserts one with
// a smaller number: that is what Chain adds.  It is true if the records that are there at
// the start have numbers below the counter.
#pragma once

#include <string>
#include <vector>

#include "audit/statements/type_run.h"
#include "base/budget.h"

namespace isomer::audit {

struct Numbered {
  TableId table;
  std::size_t place = 0;            // of the number in its primary key
  std::vector<std::size_t> shared;  // places in its key of the key of the counter's row
  TableId counter_table;
  ColumnId counter;
};

// Of the tables of the application; `types` are runs of all its types.  Fewer, if the
// budget ends.
std::vector<Numbered> numbered_tables(Schema& schema, const std::vector<TypeRun>& types,
                                      const Budget& budget);

// "new_order.no_o_id is below district.d_next_o_id at the start".
std::string assumption_text(const Program& program, const Numbered& numbered);

}  // namespace isomer::audit
