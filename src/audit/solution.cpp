// SPDX-License-Identifier: MIT
#include "audit/solution.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/calendar.h"
#include "program/scenario/write.h"
#include "program/sql/type.h"

namespace isomer::audit {
namespace {

using program::TypeKind;
using program::Value;

std::int64_t integer(const std::string& text) {
  return std::strtoll(text.c_str(), nullptr, 10);
}

// "1/3" has no decimal: near enough for an argument.
program::Decimal decimal(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::string shown =
      slash == std::string::npos
          ? text
          : fmt::format("{:.4f}", std::strtod(text.c_str(), nullptr) /
                                      std::strtod(text.c_str() + slash + 1, nullptr));
  return program::parse_decimal(shown).value_or(program::Decimal());
}

bool writes_nothing(const Program& program, std::uint32_t type) {
  const Changes changes = changes_of(program, program.types[type]);
  return std::none_of(changes.begin(), changes.end(), [](const TableChanges& table) {
    return table.inserts || table.deletes ||
           std::find(table.updated.begin(), table.updated.end(), true) !=
               table.updated.end();
  });
}

std::string two(const Anomaly& anomaly) {
  const Dependency& a = anomaly.dependencies[0];
  const Dependency& b = anomaly.dependencies[1];
  if (a.kind == DependencyKind::WriteRead || b.kind == DependencyKind::WriteRead)
    return "fractured read";
  if (a.kind == DependencyKind::WriteWrite || b.kind == DependencyKind::WriteWrite)
    return "lost update";
  return a.table == b.table && a.key == b.key && a.field == b.field ? "lost update"
                                                                    : "write skew";
}

}  // namespace

std::string kind_of(const Program& program, const Anomaly& anomaly) {
  const auto& edges = anomaly.dependencies;
  if (edges.size() == 2) return two(anomaly);
  const auto count = [&](DependencyKind kind) {
    return std::count_if(edges.begin(), edges.end(),
                         [&](const Dependency& edge) { return edge.kind == kind; });
  };
  const auto anti = static_cast<std::size_t>(count(DependencyKind::ReadWrite));
  if (anti == edges.size()) return "write skew";
  if (anti == 1) return "causality violation";
  bool is_apart = true;
  bool has_reader = false;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Dependency& next = edges[(i + 1) % edges.size()];
    if (edges[i].kind == DependencyKind::ReadWrite &&
        next.kind == DependencyKind::ReadWrite)
      is_apart = false;
    if (edges[i].kind == DependencyKind::WriteRead &&
        next.kind == DependencyKind::ReadWrite &&
        writes_nothing(program, anomaly.transactions[next.from].type))
      has_reader = true;
  }
  if (is_apart) return "long fork";
  return has_reader ? "read-only anomaly" : "write skew";
}

Value value_of(const Cell& cell, const logic::TermSolver& model) {
  if (model.truth(cell.is_null)) return {};
  switch (cell.type.kind) {
    case TypeKind::Bool:
      return Value::boolean(model.truth(cell.data));
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return Value::integer(integer(model.number(cell.data)));
    case TypeKind::Numeric:
      return Value(Value::Data(decimal(model.number(cell.data))));
    case TypeKind::Text:
      return Value::text(model.text(cell.data).value_or("a"));
    case TypeKind::Date: {
      const program::Date date{
          static_cast<std::int32_t>(integer(model.number(cell.data)) % 100000)};
      return Value(Value::Data(date));
    }
    case TypeKind::Timestamp: {
      const program::Timestamp time{integer(model.number(cell.data)) % 1000000000000000};
      return Value(Value::Data(time));
    }
    case TypeKind::Array:
      return some_value(cell.type);
    case TypeKind::Any:
    case TypeKind::Record:
    case TypeKind::Range:  // refused before
      break;
  }
  return {};
}

Anomaly described(const Program& program, const Chain& chain,
                  std::span<const PossibleDependency* const> chosen,
                  const logic::TermSolver& model) {
  Anomaly out;
  for (std::size_t i = 0; i < chain.run_count(); ++i) {
    AnomalyTransaction transaction{.type = chain.run(i).type, .arguments = {}};
    for (const Cell& parameter : chain.run(i).parameters)
      transaction.arguments.push_back(value_of(parameter, model));
    out.transactions.push_back(std::move(transaction));
  }
  for (std::size_t slot = 0; slot < chosen.size(); ++slot) {
    const PossibleDependency& candidate = *chosen[slot];
    const program::Table& table = program.tables[candidate.table.index];
    const auto [from, to] = chain.slot(slot);
    Dependency dependency{.kind = candidate.kind,
                          .from = static_cast<std::uint32_t>(from),
                          .to = static_cast<std::uint32_t>(to),
                          .from_statement = candidate.from->statement,
                          .to_statement = candidate.to->statement,
                          .table = candidate.table,
                          .field = chain.field_name(candidate),
                          .key = {}};
    const Record& record = chain.record(slot, candidate.table);
    for (std::size_t i = 0; i < record.key.size(); ++i) {
      const program::Type& type = table.columns[table.primary_key[i].index].type;
      dependency.key.push_back(
          program::sql_constant(value_of({type, chain.never(), record.key[i], {}}, model)));
    }
    out.dependencies.push_back(std::move(dependency));
  }
  out.kind = kind_of(program, out);
  return out;
}

std::string identity(const Anomaly& anomaly) {
  std::set<std::string> parts;
  for (const AnomalyTransaction& transaction : anomaly.transactions)
    parts.insert(fmt::format("{}", transaction.type));
  for (const Dependency& dependency : anomaly.dependencies)
    for (const program::Statement* statement :
         {dependency.from_statement, dependency.to_statement})
      parts.insert(fmt::format("@{}-{}", statement->at.first, statement->at.last));
  return fmt::format("{}: {}", anomaly.transactions.size(), fmt::join(parts, " "));
}

namespace {

using Key = std::pair<std::uint32_t, std::vector<Value>>;  // table, primary key

class RowFinder {
 public:
  RowFinder(const Program& program, Chain& chain, const logic::TermSolver& model)
      : program_(program), chain_(chain), model_(model) {}

  void find(std::span<const PossibleDependency* const> chosen) {
    for (std::size_t i = 0; i < chain_.run_count(); ++i)
      for (const RowSeen& row : chain_.run(i).rows)
        if (row.is_insert && model_.truth(row.when)) inserted_.insert(key_of(row.record));
    for (std::size_t i = 0; i < chain_.run_count(); ++i)
      for (const RowSeen& row : chain_.run(i).rows)
        if (!row.is_insert && model_.truth(row.when)) add(row.record, row.viewer);
    for (std::size_t slot = 0; slot < chosen.size(); ++slot) {
      const std::size_t writer = chosen[slot]->kind == DependencyKind::ReadWrite
                                     ? chain_.slot(slot).second
                                     : chain_.slot(slot).first;
      add(chain_.record(slot, chosen[slot]->table), chain_.run(writer).viewer);
    }
    for (bool is_new = true; is_new;) {
      is_new = false;
      for (const auto& [key, row] : std::map(rows_)) {
        const Parents parents = add_parents(key.first, row);
        if (parents == Parents::Inserted) {
          rows_.erase(key);
          inserted_.insert(key);
        }
        is_new = is_new || parents != Parents::There;
      }
    }
  }

  [[nodiscard]] Rows in_order() const {
    Rows out;
    for (const std::uint32_t table : by_reference(program_))
      for (const auto& [key, row] : rows_)
        if (key.first == table) out.emplace_back(TableId{table}, row);
    return out;
  }

 private:
  [[nodiscard]] Key key_of(const Record& record) const {
    Key out{record.table.index, {}};
    const program::Table& table = program_.tables[record.table.index];
    for (std::size_t i = 0; i < record.key.size(); ++i)
      out.second.push_back(value_of({table.columns[table.primary_key[i].index].type,
                                     chain_.never(),
                                     record.key[i],
                                     {}},
                                    model_));
    return out;
  }

  void add(const Record& record, const Viewer& viewer) {
    const Key key = key_of(record);
    if (inserted_.contains(key) || rows_.contains(key)) return;
    const program::Table& table = program_.tables[record.table.index];
    std::vector<Value> row;
    for (std::uint32_t i = 0; i < table.columns.size(); ++i)
      row.push_back(value_of(chain_.column(record, {i}, viewer), model_));
    rows_.emplace(key, std::move(row));
  }

  // A row cannot be there at the start if what it refers to is inserted later.
  enum class Parents : std::uint8_t { There, Added, Inserted };

  Parents add_parents(std::uint32_t table, const std::vector<Value>& row) {
    Parents out = Parents::There;
    for (const program::ForeignKey& key : program_.tables[table].foreign_keys) {
      const program::Table& parent = program_.tables[key.table.index];
      std::vector<Value> made;
      for (const program::Column& column : parent.columns)
        made.push_back(some_value(column.type));
      bool has_null = false;
      for (std::size_t i = 0; i < key.columns.size(); ++i) {
        made[key.referenced[i].index] = row[key.columns[i].index];
        has_null = has_null || row[key.columns[i].index].is_null();
      }
      Key at{key.table.index, {}};
      for (const ColumnId column : parent.primary_key)
        at.second.push_back(made[column.index]);
      if (has_null || rows_.contains(at)) continue;
      if (inserted_.contains(at)) return Parents::Inserted;
      rows_.emplace(std::move(at), std::move(made));
      out = Parents::Added;
    }
    return out;
  }

  const Program& program_;
  Chain& chain_;
  const logic::TermSolver& model_;
  std::set<Key> inserted_;
  std::map<Key, std::vector<Value>> rows_;
};

}  // namespace

Value some_value(const program::Type& type) {
  switch (type.kind) {
    case TypeKind::Bool:
      return Value::boolean(true);
    case TypeKind::Numeric:
      return Value::integer(0);
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
      return Value::integer(1);
    case TypeKind::Date:
      return Value(Value::Data(program::Date{}));
    case TypeKind::Timestamp:
      return Value(Value::Data(program::Timestamp{}));
    case TypeKind::Array:
      return Value::list({some_value(program::type(type.element))});
    default:
      return Value::text("a");
  }
}

std::vector<std::uint32_t> by_reference(const Program& program) {
  std::vector<std::uint32_t> out;
  std::vector<bool> is_done(program.tables.size());
  const auto is_ready = [&](std::uint32_t table) {
    const auto& keys = program.tables[table].foreign_keys;
    return !is_done[table] &&
           std::all_of(keys.begin(), keys.end(), [&](const program::ForeignKey& key) {
             return key.table.index == table || is_done[key.table.index];
           });
  };
  while (out.size() < program.tables.size()) {
    std::optional<std::uint32_t> next;
    for (std::uint32_t i = 0; i < program.tables.size() && !next; ++i)
      if (is_ready(i)) next = i;
    for (std::uint32_t i = 0; i < program.tables.size() && !next; ++i)
      if (!is_done[i]) next = i;  // they refer to each other in a circle
    is_done[*next] = true;
    out.push_back(*next);
  }
  return out;
}

Rows initial_rows(const Program& program, Chain& chain,
                  std::span<const PossibleDependency* const> chosen,
                  const logic::TermSolver& model) {
  RowFinder finder(program, chain, model);
  finder.find(chosen);
  return finder.in_order();
}

}  // namespace isomer::audit
