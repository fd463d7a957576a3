// SPDX-License-Identifier: MIT
#include "program/call_table.h"

#include <algorithm>

#include "program/machine/references.h"

namespace isomer::program {
namespace {

Column column(std::string name, TypeKind kind) {
  Column out;
  out.name = std::move(name);
  out.type.kind = kind;
  return out;
}

Table call_table() {
  Table out;
  out.name = "call";
  out.columns = {column("session", TypeKind::Text), column("number", TypeKind::Int4),
                 column("routine", TypeKind::Text), column("committed", TypeKind::Bool),
                 column("sqlstate", TypeKind::Text)};
  out.primary_key = {{0}, {1}};
  for (const ColumnId key : out.primary_key)
    out.columns[key.index].is_not_null = true;
  return out;
}

bool asks(const Select& query, TableId table);

bool asks(const Expression& expression, TableId table) {
  return (expression.query && asks(*expression.query, table)) ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [&](const ExpressionPtr& part) { return part && asks(*part, table); });
}

bool asks(const Select& query, TableId table) {
  bool found = std::any_of(query.from.begin(), query.from.end(),
                           [&](const Source& source) { return source.table == table; });
  visit_parts(query, [&](const Expression& part) { found = found || asks(part, table); });
  return found;
}

}  // namespace

Program with_call_table(const Program& program) {
  Program out = program;
  const bool has_own = std::any_of(out.tables.begin(), out.tables.end(),
                                   [](const Table& table) { return table.name == "call"; });
  if (!has_own) out.tables.push_back(call_table());
  return out;
}

TableId call_table_id(const Program& program) {
  return {static_cast<std::uint32_t>(program.tables.size())};
}

bool asks_for_calls(const Program& program, const Invariant& invariant) {
  return invariant.query && asks(*invariant.query, call_table_id(program));
}

}  // namespace isomer::program
