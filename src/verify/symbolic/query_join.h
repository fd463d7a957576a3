// SPDX-License-Identifier: MIT
// FROM and WHERE, as program/machine/join.cpp has them: the same conjuncts pin the same
// keys, the same rows are read and the same conditions evaluated in the same order, each
// under the condition that the interpreter would come to it.
#pragma once

#include "verify/symbolic/statement_run.h"

namespace isomer::verify {

// One row for each source of a FROM.
struct Tuple {
  Term is_in;
  std::vector<Row> rows;
};

// FROM and WHERE, in no order.
std::vector<Tuple> joined(StatementRun& run, std::span<const Source> from,
                          const Expression* where, const RowScope* around, Term when);

}  // namespace isomer::verify
