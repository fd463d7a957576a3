// SPDX-License-Identifier: MIT
// Which parts of the tables the transactions of an application can change.
#pragma once

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

// Is there a statement of that kind, in inner blocks too?
bool contains(const program::Block& block, program::Statement::Kind kind);

}  // namespace isomer::audit
