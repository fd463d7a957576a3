// SPDX-License-Identifier: MIT
#include "program/ir.h"

#include <algorithm>

namespace isomer::program {

std::string_view name(Function function) {
  switch (function) {
    case Function::And:
      return "and";
    case Function::Or:
      return "or";
    case Function::Not:
      return "not";
    case Function::IsNull:
      return "is null";
    case Function::Equal:
      return "=";
    case Function::NotEqual:
      return "<>";
    case Function::Less:
      return "<";
    case Function::LessEqual:
      return "<=";
    case Function::Greater:
      return ">";
    case Function::GreaterEqual:
      return ">=";
    case Function::IsDistinct:
      return "is distinct from";
    case Function::Add:
      return "+";
    case Function::Subtract:
      return "-";
    case Function::Multiply:
      return "*";
    case Function::Divide:
      return "/";
    case Function::Modulo:
      return "%";
    case Function::Negate:
      return "-";
    case Function::Abs:
      return "abs";
    case Function::Round:
      return "round";
    case Function::Ceil:
      return "ceil";
    case Function::Floor:
      return "floor";
    case Function::Power:
      return "power";
    case Function::Coalesce:
      return "coalesce";
    case Function::NullIf:
      return "nullif";
    case Function::Greatest:
      return "greatest";
    case Function::Least:
      return "least";
    case Function::Concat:
      return "concat";
    case Function::Length:
      return "length";
    case Function::Lower:
      return "lower";
    case Function::Upper:
      return "upper";
    case Function::Substring:
      return "substring";
    case Function::Position:
      return "position";
    case Function::Like:
      return "like";
    case Function::StartsWith:
      return "startswith";
    case Function::EndsWith:
      return "endswith";
    case Function::SplitPart:
      return "split_part";
    case Function::Part:
      return "part";
    case Function::Element:
      return "element";
    case Function::ArrayAppend:
      return "array_append";
    case Function::ArrayPrepend:
      return "array_prepend";
    case Function::ArrayConcat:
      return "array_cat";
    case Function::ArrayRemove:
      return "array_remove";
    case Function::ArrayPosition:
      return "array_position";
    case Function::ArrayLength:
      return "array_length";
    case Function::Cardinality:
      return "cardinality";
    case Function::ArrayContains:
      return "@>";
    case Function::ArrayOverlaps:
      return "&&";
    case Function::MakeRange:
      return "range";
    case Function::RangeOverlaps:
      return "&&";
    case Function::RangeContains:
    case Function::RangeContainsElement:
      return "@>";
    case Function::RangeLower:
      return "lower";
    case Function::RangeUpper:
      return "upper";
    case Function::RangeIsEmpty:
      return "isempty";
    case Function::MakeList:
      return "list";
    case Function::Append:
      return "append";
    case Function::Remove:
      return "remove";
    case Function::Contains:
      return "contains";
    case Function::Size:
      return "size";
    case Function::Get:
      return "get";
    case Function::Set:
      return "set";
  }
  return {};
}

namespace {

// The file that holds a byte of the source.
struct Part {
  std::string_view name;
  std::string_view text;
  std::size_t first = 0;
};

Part part_at(const Program& program, std::size_t offset) {
  const std::string_view source = program.source;
  Part part{.name = program.file, .text = source, .first = 0};
  for (std::size_t i = 0; i < program.files.size(); ++i) {
    const std::size_t first = program.files[i].first;
    if (first > offset) break;
    const std::size_t last =
        i + 1 < program.files.size() ? program.files[i + 1].first : source.size();
    part = {.name = program.files[i].name,
            .text = source.substr(first, last - first),
            .first = first};
  }
  return part;
}

}  // namespace

std::string_view name(Lock lock) {
  switch (lock) {
    case Lock::None:
      return {};
    case Lock::KeyShare:
      return "FOR KEY SHARE";
    case Lock::Share:
      return "FOR SHARE";
    case Lock::NoKeyUpdate:
      return "FOR NO KEY UPDATE";
    case Lock::Update:
      return "FOR UPDATE";
  }
  return {};
}

std::string_view name(ReferenceAction action) {
  switch (action) {
    case ReferenceAction::NoAction:
      return "NO ACTION";
    case ReferenceAction::Restrict:
      return "RESTRICT";
    case ReferenceAction::Cascade:
      return "CASCADE";
    case ReferenceAction::SetNull:
      return "SET NULL";
    case ReferenceAction::SetDefault:
      return "SET DEFAULT";
  }
  return {};
}

bool has_conflict_target(const Insert& statement) {
  return !statement.conflict_columns.empty() || !statement.conflict_expressions.empty();
}

const std::string& constraint_name(const Program& program, const ConstraintId& id) {
  const Table& table = program.tables[id.table.index];
  switch (id.kind) {
    case ConstraintId::Kind::PrimaryKey:
      return table.primary_key_name;
    case ConstraintId::Kind::Index:
      return table.index_constraints[id.number].name;
    case ConstraintId::Kind::ForeignKey:
      return table.foreign_keys[id.number].name;
  }
  return table.name;
}

std::optional<std::vector<ColumnId>> IndexConstraint::columns() const {
  std::vector<ColumnId> out;
  for (const Part& part : parts) {
    if (part.value->kind != Expression::Kind::Column || where) return std::nullopt;
    out.push_back(part.value->column);
  }
  return out;
}

bool writes_back(const Source& source) {
  return source.lock >= Lock::NoKeyUpdate;
}

bool writes_back(const Select& query) {
  return std::ranges::any_of(query.from,
                             [](const Source& source) { return writes_back(source); });
}

bool locks_rows(const Select& query) {
  return std::ranges::any_of(
      query.from, [](const Source& source) { return source.lock != Lock::None; });
}

std::vector<const Block*> blocks_of(const Statement& statement) {
  std::vector<const Block*> out{&statement.body, &statement.otherwise};
  for (const Handler& handler : statement.handlers)
    out.push_back(&handler.body);
  return out;
}

std::vector<Block*> blocks_of(Statement& statement) {
  std::vector<Block*> out{&statement.body, &statement.otherwise};
  for (Handler& handler : statement.handlers)
    out.push_back(&handler.body);
  return out;
}

bool contains(const Block& block, Statement::Kind kind) {
  return std::ranges::any_of(block, [&](const Statement& statement) {
    const auto has = [&](const Block* inner) { return contains(*inner, kind); };
    return statement.kind == kind || std::ranges::any_of(blocks_of(statement), has);
  });
}

const Table& table_of(const Program& program, const Source& source) {
  return source.shape ? *source.shape : program.tables[source.table.index];
}

Diagnostic diagnostic_in(const Program& program, std::size_t offset, std::string message) {
  const Part part = part_at(program, offset);
  return diagnostic_at(part.name, part.text, offset - part.first, std::move(message));
}

std::pair<std::string, Position> place_of(const Program& program, std::size_t offset) {
  const Part part = part_at(program, offset);
  return {std::string(part.name), position_of(part.text, offset - part.first)};
}

}  // namespace isomer::program
