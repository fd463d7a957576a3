// SPDX-License-Identifier: MIT
// What statements consist of: which parts of the tables they can change, which variables
// they assign, and their expressions.
#pragma once

#include <functional>
#include <vector>

#include "program/ir.h"

namespace isomer::audit {

using program::ColumnId;
using program::Program;
using program::TableId;

struct TableChanges {
  bool inserts = false;
  bool deletes = false;
  bool moves = false;         // an UPDATE of the primary key
  std::vector<bool> updated;  // by column
};

using Changes = std::vector<TableChanges>;  // by table

Changes changes_of(const Program& program, const program::TransactionType& type);
Changes changes_of(const Program& program);  // of all types together

// The variables that some statement of the block may assign.
std::vector<bool> assigned_in(const program::Block& block, std::size_t variable_count);

using ExpressionVisit = std::function<void(const program::Expression&)>;

// The expression and all in it, queries included.
void for_each_part(const program::Expression& expression, const ExpressionVisit& act);
// All in the expressions and queries of the statement itself, not in those of its blocks.
void for_each_expression(const program::Statement& statement, const ExpressionVisit& act);
// In all statements of the block, in inner blocks too.
void for_each_expression(const program::Block& block, const ExpressionVisit& act);

}  // namespace isomer::audit
