// SPDX-License-Identifier: MIT
#include "audit/statements/schema.h"

#include <algorithm>

#include <fmt/format.h>

namespace isomer::audit {
namespace {

std::string seen_by(const Viewer& viewer, TableId table) {
  return fmt::format("@{}@{}", viewer.transaction, viewer.epochs[table.index]);
}

}  // namespace

Schema::Schema(Terms& terms, const Program& program, const Model& model)
    : terms_(terms), program_(program), model_(model), changes_(changes_of(program)) {}

bool Schema::is_key(TableId table, ColumnId column) const {
  const auto& key = program_.tables[table.index].primary_key;
  return std::find(key.begin(), key.end(), column) != key.end();
}

// Where records come and go, or where two transactions may each insert a record of one key
// without seeing the other, the same key may have several lives with different content.
bool Schema::is_fixed(TableId table, ColumnId column) const {
  if (is_key(table, column)) return true;
  const TableChanges& changes = changes_[table.index];
  if (changes.updated[column.index] || changes.moves) return false;
  return !changes.inserts || (!changes.deletes && model_.inserts_conflict[table.index]);
}

bool Schema::is_existence_fixed(TableId table) const {
  const TableChanges& changes = changes_[table.index];
  return !changes.inserts && !changes.deletes && !changes.moves;
}

Term Schema::apply(const std::string& name, std::span<const Term> arguments,
                   TermSort result) {
  std::string full = name;
  std::vector<TermSort> sorts;
  for (const Term argument : arguments) {
    sorts.push_back(terms_.sort(argument));
    full += fmt::format("'{}", static_cast<int>(sorts.back()));
  }
  full += fmt::format("'{}", static_cast<int>(result));
  auto found = functions_.find(full);
  if (found == functions_.end())
    found = functions_.emplace(full, terms_.function(full, std::move(sorts), result)).first;
  return terms_.apply(found->second, arguments);
}

Cell Schema::column(const Record& record, ColumnId column, const Viewer& viewer) {
  const program::Table& table = program_.tables[record.table.index];
  const program::Column& of = table.columns[column.index];
  const auto& key = table.primary_key;
  const auto place = std::find(key.begin(), key.end(), column);
  if (place != key.end())
    return {of.type,
            terms_.truth(false),
            record.key[static_cast<std::size_t>(place - key.begin())],
            {}};
  std::string name = fmt::format("{}.{}", table.name, of.name);
  if (!is_fixed(record.table, column)) name += seen_by(viewer, record.table);
  const Term is_null = of.is_not_null ? terms_.truth(false)
                                      : apply(name + ".null", record.key, TermSort::Bool);
  return {of.type, is_null, apply(name, record.key, verify::sort_of(of.type)), {}};
}

Term Schema::is_alive(const Record& record, const Viewer& viewer) {
  std::string name = program_.tables[record.table.index].name + ".alive";
  if (!is_existence_fixed(record.table)) name += seen_by(viewer, record.table);
  return apply(name, record.key, TermSort::Bool);
}

Term Schema::same(const Record& a, const Record& b) {
  if (a.table != b.table) return terms_.truth(false);
  std::vector<Term> parts;
  for (std::size_t i = 0; i < a.key.size(); ++i)
    parts.push_back(terms_.same(a.key[i], b.key[i]));
  return terms_.all(parts);
}

Record Schema::open_record(TableId table, const std::string& name) {
  const program::Table& of = program_.tables[table.index];
  Record out{.table = table, .key = {}};
  for (const ColumnId column : of.primary_key)
    out.key.push_back(
        terms_.variable(fmt::format("{}.{}", name, of.columns[column.index].name),
                        verify::sort_of(of.columns[column.index].type)));
  return out;
}

Record Schema::partner(const Record& of, TableId table, const std::string& name) {
  Record out{.table = table, .key = {}};
  for (const ColumnId id : program_.tables[table.index].primary_key) {
    const program::Column& column = program_.tables[table.index].columns[id.index];
    out.key.push_back(apply(fmt::format("{}.{}", name, column.name), of.key,
                            verify::sort_of(column.type)));
  }
  return out;
}

std::size_t Schema::field_count(TableId table) const {
  if (model_.granularity == program::Granularity::Row) return 1;
  return program_.tables[table.index].columns.size() + 1;
}

std::vector<bool> Schema::no_fields(TableId table) const {
  return std::vector<bool>(field_count(table));
}

std::vector<bool> Schema::all_fields(TableId table) const {
  return std::vector<bool>(field_count(table), true);
}

// What is in the primary key changes with the existence of its record only.
void Schema::add_field(std::vector<bool>& fields, TableId table, ColumnId column) const {
  fields[fields.size() == 1 || is_key(table, column) ? fields.size() - 1 : column.index] =
      true;
}

void Schema::add_existence(std::vector<bool>& fields) const {
  fields.back() = true;
}

std::string Schema::field_name(TableId table, std::size_t field) const {
  const program::Table& of = program_.tables[table.index];
  return field < of.columns.size() && field_count(table) > 1 ? of.columns[field].name : "";
}

Cell Schema::any_function(const std::string& name, const std::vector<Cell>& arguments,
                          const program::Type& type) {
  std::vector<Term> all;
  for (const Cell& argument : arguments) {
    all.push_back(argument.data);
    all.push_back(argument.is_null);
  }
  return {type,
          apply(name + ".null", all, TermSort::Bool),
          apply(name, all, verify::sort_of(type)),
          {}};
}

}  // namespace isomer::audit
