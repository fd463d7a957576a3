// SPDX-License-Identifier: MIT
#include "audit/confirm/trial.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "audit/solution.h"
#include "audit/statements/changes.h"
#include "program/machine/keys.h"
#include "program/scenario/scenario.h"
#include "program/scenario/write.h"
#include "program/sql/type.h"

namespace isomer::audit {
namespace {

using program::ColumnId;
using program::Table;
using program::TypeKind;
using program::Value;

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

// Mostly one element.
template <class Element>
Value some_array(Random& random, Element element) {
  std::vector<Value> items;
  for (std::uint64_t i = random.below(6) == 0 ? random.below(3) : 1; i > 0; --i)
    items.push_back(element());
  return Value::list(std::move(items));
}

// --- the small world ---

class World {
 public:
  enum class Keys : std::uint8_t { One, Few };

  World(const Program& program, Random& random, Keys keys)
      : program_(program),
        random_(random),
        changes_(changes_of(program)),
        is_tiny_(keys == Keys::One) {}

  Trial trial(std::span<const std::uint32_t> types) {
    Trial out{.rows = rows(), .transactions = {}};
    for (const std::uint32_t type : types)
      out.transactions.push_back(call(type));
    return out;
  }

 private:
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
      case TypeKind::Array:
        return some_array(random_, [&] { return argument(program::type(type.element)); });
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

// --- the hostile world ---

// The constants in the text of these types.
std::vector<Value> constants_of(const Program& program,
                                std::span<const AnomalyTransaction> transactions) {
  std::set<Value> out;
  for (const AnomalyTransaction& transaction : transactions)
    for_each_expression(program.types[transaction.type].body,
                        [&](const program::Expression& e) {
                          if (e.kind == program::Expression::Kind::Constant)
                            out.insert(e.value);
                        });
  return {out.begin(), out.end()};
}

class HostileWorld {
 public:
  HostileWorld(const Program& program, const Trial& solution, Random& random)
      : program_(program),
        random_(random),
        constants_(constants_of(program, solution.transactions)),
        kept_(random.below(2) == 0 ? 0 : random.next()) {}

  Rows rows() {
    for (const std::uint32_t table : by_reference(program_)) {
      std::set<program::PrimaryKey> keys;
      for (std::uint64_t i = std::min<std::uint64_t>(random_.below(6), 3); i > 0; --i)
        if (std::optional<std::vector<Value>> row = row_of(table))
          if (keys.insert(program::primary_key_of(program_.tables[table], *row)).second)
            rows_.emplace_back(TableId{table}, std::move(*row));
    }
    return std::move(rows_);
  }

  AnomalyTransaction call(AnomalyTransaction out) {
    for (std::size_t i = 0; i < out.arguments.size(); ++i)
      if ((kept_ >> i % 64 & 1U) == 0)
        out.arguments[i] = random_.below(6) == 0
                               ? Value()
                               : some(program_.types[out.type].variables[i].type);
    return out;
  }

 private:
  static bool fits(const Value& value, const program::Type& type) {
    switch (type.kind) {
      case TypeKind::Int2:
      case TypeKind::Int4:
      case TypeKind::Int8:
      case TypeKind::Numeric:
        return value.get_if<std::int64_t>() != nullptr;
      case TypeKind::Text:
        return value.get_if<std::string>() != nullptr;
      default:
        return false;
    }
  }

  Value some(const program::Type& type) {
    if (!constants_.empty() && random_.below(2) == 0) {
      const Value& constant = constants_[random_.below(constants_.size())];
      const auto* number = constant.get_if<std::int64_t>();
      if (fits(constant, type))
        return number != nullptr && random_.below(4) == 0
                   ? Value::integer(*number + (random_.below(2) == 0 ? 1 : -1))
                   : constant;
    }
    if (type.kind == TypeKind::Array)
      return some_array(random_, [&] { return some(program::type(type.element)); });
    if (type.kind == TypeKind::Bool) return Value::boolean(random_.below(2) == 0);
    if (type.kind == TypeKind::Text) return Value::text(random_.below(2) == 0 ? "a" : "b");
    if (verify::sort_of(type) == logic::TermSort::Int && type.kind != TypeKind::Date &&
        type.kind != TypeKind::Timestamp)
      return Value::integer(1 + static_cast<std::int64_t>(random_.below(3)));
    return type.kind == TypeKind::Numeric ? Value::integer(amount(random_))
                                          : some_value(type);
  }

  std::optional<std::vector<Value>> row_of(std::uint32_t id) {
    const Table& table = program_.tables[id];
    std::vector<Value> row;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      row.push_back(!table.columns[i].is_not_null && !is_among(table.primary_key, i) &&
                            random_.below(4) == 0
                        ? Value()
                        : some(table.columns[i].type));
    for (const program::ForeignKey& key : table.foreign_keys) {
      const std::vector<Value>* parent = a_row_of(key.table);
      if (parent == nullptr) return std::nullopt;
      for (std::size_t i = 0; i < key.columns.size(); ++i)
        row[key.columns[i].index] = (*parent)[key.referenced[i].index];
    }
    return row;
  }

  const std::vector<Value>* a_row_of(TableId id) {
    std::vector<const std::vector<Value>*> known;
    for (const auto& [table, row] : rows_)
      if (table == id) known.push_back(&row);
    return known.empty() ? nullptr : known[random_.below(known.size())];
  }

  const Program& program_;
  Random& random_;
  std::vector<Value> constants_;
  std::uint64_t kept_;  // by parameter, one bit: keeps its arguments
  Rows rows_;
};

}  // namespace

std::string scenario_text(const Program& program, const Trial& trial) {
  std::string out = program::initial_text(program, trial.rows);
  for (const AnomalyTransaction& transaction : trial.transactions)
    out += program::session_text(
        "", {program::call_text(program.types[transaction.type], transaction.arguments)});
  return out;
}

Expected<Program> parsed_scenario(const Program& program, const std::string& text) {
  const std::filesystem::path file = application_file(program);
  return program::parse_scenario(
      (file.parent_path() / "audit.toml").string(),
      fmt::format("app = {}\n{}", program::toml_string(file.filename().string()), text));
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
  const auto keys = random.below(2) == 0 ? World::Keys::One : World::Keys::Few;
  return World(program, random, keys).trial(types);
}

Trial tiny_world(const Program& program, std::span<const std::uint32_t> types,
                 Random& random) {
  return World(program, random, World::Keys::One).trial(types);
}

Trial hostile_world(const Program& program, const Trial& solution, Random& random) {
  HostileWorld world(program, solution, random);
  Trial out{.rows = world.rows(), .transactions = {}};
  for (const AnomalyTransaction& transaction : solution.transactions)
    out.transactions.push_back(world.call(transaction));
  return out;
}

std::string application_file(const Program& program) {
  for (const program::SourceFile& file : program.files)
    if (file.name.ends_with(".sql")) return file.name;
  return program.file;
}

}  // namespace isomer::audit
