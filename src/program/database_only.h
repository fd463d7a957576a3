// SPDX-License-Identifier: MIT
// What a program says that only databases give a meaning to: savepoints, EXCEPTION, locks
// of tables and of numbers, NOWAIT, cascades.  The levels of the papers know reads and
// writes of keys, so no engine that judges by them may run such a program.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

// The transaction types that the sessions call, and those of the workload, each once.
std::vector<std::uint32_t> called_types(const Program& program);
std::vector<std::uint32_t> workload_types(const Program& program);
std::vector<std::uint32_t> all_types(const Program& program);

// Complains of each such place in transactions of these types.
Diagnostics database_only(const Program& program, const std::vector<std::uint32_t>& types);

// Complains of transactions of these types that use ranges, or a table with EXCLUDE or with
// a unique index over values or some of the rows: who reasons about any rows does not know
// them.
Diagnostics index_constraints_used(const Program& program,
                                   const std::vector<std::uint32_t>& types);

// Complains of rows that are computed in a FROM (VALUES, UNION, queries that group or cut),
// in transactions of these types and in invariants: this engine does not understand them.
Diagnostics computed_rows(const Program& program, const std::vector<std::uint32_t>& types,
                          std::string_view engine);

// What has another meaning in databases: row locks and constraints of tables that
// transactions of these types change.  "FOR UPDATE", and where it stands; no words: none.
struct MeansMore {
  std::string words;
  Span at;
};

MeansMore means_more_in_databases(const Program& program,
                                  const std::vector<std::uint32_t>& types);

}  // namespace isomer::program
