// SPDX-License-Identifier: MIT
#include "audit/trial.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/changes.h"
#include "audit/rows.h"
#include "program/machine/keys.h"
#include "program/scenario/scenario.h"

namespace isomer::audit {
namespace {

using program::ColumnId;
using program::Table;
using program::TypeKind;
using program::Value;

std::string toml_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += '"';
  return out;
}

std::string row_text(const Program& program, TableId table, const std::vector<Value>& row) {
  std::vector<std::string> values;
  for (const Value& value : row)
    values.push_back(sql_text(value));
  return fmt::format("INSERT INTO {} VALUES ({});\n", program.tables[table.index].name,
                     fmt::join(values, ", "));
}

std::string call_text(const Program& program, const AnomalyTransaction& transaction) {
  std::vector<std::string> arguments;
  for (const Value& argument : transaction.arguments)
    arguments.push_back(sql_text(argument));
  return fmt::format("{}({})", program.types[transaction.type].name,
                     fmt::join(arguments, ", "));
}

bool is_among(const std::vector<ColumnId>& columns, std::size_t column) {
  return std::find(columns.begin(), columns.end(),
                   ColumnId{static_cast<std::uint32_t>(column)}) != columns.end();
}

bool refers(const Table& table, std::size_t column) {
  return std::any_of(
      table.foreign_keys.begin(), table.foreign_keys.end(),
      [&](const program::ForeignKey& key) { return is_among(key.columns, column); });
}

// --- numbers ---

constexpr std::array<std::int64_t, 8> amounts{1, 2, 5, 10, 50, 100, -10, -100};

std::int64_t amount(Random& random) {
  return amounts[random.below(amounts.size())];
}

void vary(Value& value, Random& random) {
  const std::int64_t number = amount(random);
  if (value.get_if<std::int64_t>() != nullptr ||
      value.get_if<program::Decimal>() != nullptr)
    if (random.below(2) == 0) value = Value::integer(number);
}

// --- the small world ---

class World {
 public:
  World(const Program& program, Random& random)
      : program_(program),
        random_(random),
        changes_(changes_of(program)),
        is_tiny_(random.below(2) == 0) {}

  Rows rows() {
    for (const std::uint32_t table : by_reference(program_)) {
      const bool comes = changes_[table].inserts;
      if (comes && random_.below(2) == 0) continue;
      add_row(table);
      while (random_.below(3) == 0)
        add_row(table);
    }
    return std::move(rows_);
  }

  AnomalyTransaction call(std::uint32_t type) {
    AnomalyTransaction out{.type = type, .arguments = {}};
    for (const program::Variable& variable : program_.types[type].variables)
      if (variable.is_parameter) out.arguments.push_back(argument(variable.type));
    return out;
  }

 private:
  Value small() { return Value::integer(!is_tiny_ && random_.below(3) == 0 ? 2 : 1); }

  Value text() {
    constexpr std::array texts{"1", "1,1", "1,2", "a"};
    return Value::text(is_tiny_ ? texts[0] : texts[random_.below(texts.size())]);
  }

  Value argument(const program::Type& type) {
    switch (type.kind) {
      case TypeKind::Int2:
      case TypeKind::Int4:
      case TypeKind::Int8:
        return !is_tiny_ && random_.below(8) == 0 ? Value::integer(amount(random_))
                                                  : small();
      case TypeKind::Numeric:
        return Value::integer(amount(random_));
      case TypeKind::Bool:
        return Value::boolean(random_.below(2) == 0);
      case TypeKind::Text:
        return text();
      default:
        return some_value(type);
    }
  }

  // What fits into the column; mostly its DEFAULT says what is usual.
  Value content(const program::Column& column) {
    const program::Type& type = column.type;
    if (type.kind == TypeKind::Numeric)
      return Value::integer(
          type.precision && *type.precision <= type.scale + 2 ? 0 : amount(random_));
    if (verify::sort_of(type) == logic::TermSort::Int && type.kind != TypeKind::Date &&
        type.kind != TypeKind::Timestamp)
      return random_.below(2) == 0 ? small() : Value::integer(amount(random_));
    if (type.kind == TypeKind::Text) return Value::text("a");
    if (!column.is_not_null && random_.below(2) == 0) return {};
    return some_value(type);
  }

  void add_row(std::uint32_t id) {
    const Table& table = program_.tables[id];
    std::vector<Value> row;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      row.push_back(is_among(table.primary_key, i) &&
                            verify::sort_of(table.columns[i].type) == logic::TermSort::Int
                        ? small()
                        : content(table.columns[i]));
    for (const program::ForeignKey& key : table.foreign_keys)
      if (!refer(key, row)) return;
    if (keys_.insert({id, program::primary_key_of(table, row)}).second)
      rows_.emplace_back(TableId{id}, std::move(row));
  }

  bool refer(const program::ForeignKey& key, std::vector<Value>& row) {
    std::vector<const std::vector<Value>*> parents;
    for (const auto& [table, parent] : rows_)
      if (table == key.table) parents.push_back(&parent);
    if (parents.empty()) return false;
    const std::vector<Value>& parent = *parents[random_.below(parents.size())];
    for (std::size_t i = 0; i < key.columns.size(); ++i)
      row[key.columns[i].index] = parent[key.referenced[i].index];
    return true;
  }

  const Program& program_;
  Random& random_;
  Changes changes_;
  bool is_tiny_;  // all keys are 1
  Rows rows_;
  std::set<std::pair<std::uint32_t, program::PrimaryKey>> keys_;
};

}  // namespace

std::string scenario_text(const Program& program, const Trial& trial) {
  std::string out = "[init]\nsql = \"\"\"\n";
  for (const auto& [table, row] : trial.rows)
    out += row_text(program, table, row);
  out += "\"\"\"\n";
  for (const AnomalyTransaction& transaction : trial.transactions)
    out += fmt::format("\n[[session]]\ncalls = [{}]\n",
                       toml_quoted(call_text(program, transaction)));
  return out;
}

Expected<Program> parsed_scenario(const Program& program, const std::string& text) {
  const std::filesystem::path file = application_file(program);
  return program::parse_scenario(
      (file.parent_path() / "audit.toml").string(),
      fmt::format("app = {}\n{}", toml_quoted(file.filename().string()), text));
}

Trial varied(const Program& program, Trial trial, Random& random) {
  std::set<Value> keys;
  for (auto& [id, row] : trial.rows) {
    const Table& table = program.tables[id.index];
    for (std::size_t i = 0; i < row.size(); ++i)
      if (is_among(table.primary_key, i) || refers(table, i))
        keys.insert(row[i]);
      else
        vary(row[i], random);
  }
  for (AnomalyTransaction& transaction : trial.transactions)
    for (Value& argument : transaction.arguments)
      if (!keys.contains(argument) || random.below(8) == 0) vary(argument, random);
  return trial;
}

Trial small_world(const Program& program, std::span<const std::uint32_t> types,
                  Random& random) {
  World world(program, random);
  Trial out{.rows = world.rows(), .transactions = {}};
  for (const std::uint32_t type : types)
    out.transactions.push_back(world.call(type));
  return out;
}

std::string application_file(const Program& program) {
  for (const program::SourceFile& file : program.files)
    if (file.name.ends_with(".sql")) return file.name;
  return program.file;
}

}  // namespace isomer::audit
