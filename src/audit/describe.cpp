// SPDX-License-Identifier: MIT
#include "audit/describe.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "program/calendar.h"
#include "program/scenario/write.h"

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
  if (anti == 1)
    return count(DependencyKind::WriteWrite) == 0 ? "causality violation" : "lost update";
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
    case TypeKind::Any:
    case TypeKind::Record:
      break;
  }
  return {};
}

Anomaly described(const Program& program, const Chain& chain,
                  std::span<const Candidate* const> chosen,
                  const logic::TermSolver& model) {
  Anomaly out;
  for (std::size_t i = 0; i < chain.instance_count(); ++i) {
    AnomalyTransaction transaction{.type = chain.instance(i).type, .arguments = {}};
    for (const Cell& parameter : chain.instance(i).parameters)
      transaction.arguments.push_back(value_of(parameter, model));
    out.transactions.push_back(std::move(transaction));
  }
  for (std::size_t slot = 0; slot < chosen.size(); ++slot) {
    const Candidate& candidate = *chosen[slot];
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

}  // namespace isomer::audit
