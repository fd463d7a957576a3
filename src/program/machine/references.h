// SPDX-License-Identifier: MIT
// Which columns an expression mentions, through its subqueries.
#pragma once

#include <functional>

#include "program/ir.h"

namespace isomer::program {

// Calls `visit` with each Column of the FROM that is `depth` levels around the expression:
// 0 is the statement's own.
void visit_columns(const Expression& expression, std::uint32_t depth,
                   const std::function<void(const Expression&)>& visit);
void visit_columns(const Select& query, std::uint32_t depth,
                   const std::function<void(const Expression&)>& visit);

// Calls `visit` with each expression that stands directly in a query; the rows of a WITH
// once, however often they are named.
void visit_parts(const Select& query, const std::function<void(const Expression&)>& visit);

// The sources of an UPDATE or DELETE, as SourceIds count them.
template <class Change>
std::vector<Source> sources_of(const Change& change) {
  std::vector<Source> out = change.from;
  out.insert(out.begin() + change.target, change.table);
  return out;
}

// The WITH of a statement; empty if it has none.
const std::vector<CommonTable>& with_of(const Statement& statement);

// Does the query mention rows of a statement around it?
bool is_correlated(const Select& query);

// Is there an aggregate over the rows of this statement?
bool has_aggregate(const Expression& expression);

// Is there an array_agg among them?
bool has_array_agg(const Expression& expression);

// Does the query have GROUP BY, HAVING or an aggregate?
bool is_grouped(const Select& query);

// The operands of a conjunction; none if there is no condition.
std::vector<const Expression*> conjuncts_of(const Expression* condition);

}  // namespace isomer::program
