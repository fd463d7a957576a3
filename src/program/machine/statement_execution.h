// SPDX-License-Identifier: MIT
// The execution of one statement: a pure function of what is known.  If something is
// missing, the context waits; the statement is executed again once it is known.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "program/machine/evaluate.h"
#include "program/machine/view.h"

namespace isomer::program {

// One row for each source of a FROM.
using Tuple = std::vector<Value>;

struct Selected {
  std::vector<std::vector<Value>> rows;  // the columns
  std::vector<Tuple> tuples;             // where each came from; none if it is a group
};

struct StatementExecution {
  View view;
  Context context{};
  std::map<const Select*, std::shared_ptr<const Selected>> uncorrelated{};
};

// --- queries (select.cpp) ---

// Lets the context of the execution ask subqueries; the execution must stay in its place.
void connect_queries(StatementExecution& execution);

// The rows of FROM and WHERE, in the order of the primary keys (join.cpp).
std::vector<Tuple> joined(StatementExecution& execution, std::span<const Source> from,
                          const Expression* where, const Rows* around);

// Without the writes of FOR UPDATE.
std::shared_ptr<const Selected> selected(StatementExecution& execution, const Select& query,
                                         const Rows* around);
// Stages the writes of FOR UPDATE.
void lock_selected(StatementExecution& execution, const Select& query,
                   const Selected& selected);

// --- changes (write.cpp) ---

// What INSERT, UPDATE and DELETE did: the changes are staged.
struct Affected {
  std::size_t count = 0;
  std::vector<std::vector<Value>> returned;  // RETURNING
};

Affected insert(StatementExecution& execution, const Insert& statement);
Affected update(StatementExecution& execution, const Update& statement);
Affected erase(StatementExecution& execution, const Delete& statement);

}  // namespace isomer::program
