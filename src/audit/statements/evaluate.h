// SPDX-License-Identifier: MIT
// SQL expressions on terms.  What has no exact term is an unknown: the same one for the
// same arguments where it is a function of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/statements/schema.h"

namespace isomer::audit {

using program::Expression;

// A row that columns speak of: a record as the viewer sees it, or with columns that are
// known otherwise.
struct SeenRow {
  Record record;
  std::vector<std::optional<Cell>> known;  // by column; empty: none

  // Absent for a row that nothing is known of: each use of its columns is an unknown.
  bool is_open = false;
};

struct RowTerms {
  std::vector<SeenRow> rows;  // by SourceId
  const RowTerms* around = nullptr;
};

// Where a statement stands: all that its expressions can mention.
struct Situation {
  Schema* schema = nullptr;
  Viewer viewer;
  std::vector<Cell> variables;
  Term found;
  Cell row_count;
  std::map<const Expression*, Cell> queries;  // the subqueries that have been looked at

  [[nodiscard]] Terms& terms() const { return schema->terms(); }

  Cell evaluate(const Expression& expression, const RowTerms* scope) const;
  // x = ANY (v), where the operands are x and v, and the function is Equal.
  [[nodiscard]] Cell any_element(program::Function function,
                                 const std::vector<Cell>& operands) const;
  // True; not null and not false.
  Term holds(const Expression& condition, const RowTerms* scope) const;
};

Cell unknown(Terms& terms, const program::Type& type, const std::string& name);
// NULL for a variable of the type, record or not.
Cell null_of(Terms& terms, const program::Variable& variable);
Cell unknown_of(Terms& terms, const program::Variable& variable, const std::string& name);
// Assignment to a variable or column of the type.
Cell converted(Schema& schema, const Cell& cell, const program::Type& type);
// a = b as a condition: neither is null, and they are equal.
Term equal(Terms& terms, const Cell& a, const Cell& b);
bool has_query(const Expression& expression);

}  // namespace isomer::audit
