// SPDX-License-Identifier: MIT
#include "report/json.h"
#include "program/print/print.h"
#include "program/sql/type.h"
#include "report/program/report.h"

namespace isomer::report {
namespace {

using program::Call;
using program::Column;
using program::ColumnId;
using program::ForeignKey;
using program::Invariant;
using program::PrintNames;
using program::Program;
using program::Session;
using program::Table;
using program::TransactionType;

Json column_names(const Table& table, const std::vector<ColumnId>& columns) {
  Json out = Json::array();
  for (const ColumnId column : columns)
    out.push_back(table.columns[column.index].name);
  return out;
}

Json table_json(const Program& program, const Table& table) {
  Json columns = Json::array();
  for (const Column& column : table.columns)
    columns.push_back({{"name", column.name},
                       {"type", to_text(column.type)},
                       {"not_null", column.is_not_null}});
  Json unique = Json::array();
  for (const auto& key : table.unique)
    unique.push_back(column_names(table, key));
  Json foreign = Json::array();
  for (const ForeignKey& key : table.foreign_keys) {
    const Table& other = program.tables[key.table.index];
    foreign.push_back({{"columns", column_names(table, key.columns)},
                       {"table", other.name},
                       {"referenced", column_names(other, key.referenced)},
                       {"on_delete", name(key.on_delete)},
                       {"on_update", name(key.on_update)}});
  }
  return {{"name", table.name},
          {"columns", columns},
          {"primary_key", column_names(table, table.primary_key)},
          {"unique", unique},
          {"foreign_keys", foreign},
          {"checks", table.checks.size()}};
}

Json lines(const std::string& text) {
  Json out = Json::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

Json type_json(const Program& program, const TransactionType& type) {
  Json parameters = Json::array();
  for (std::uint32_t i = 0; i < type.parameter_count; ++i)
    parameters.push_back(
        {{"name", type.variables[i].name}, {"type", to_text(type.variables[i].type)}});
  const auto [file, at] = place_of(program, type.at.first);
  const PrintNames names{.program = program, .variables = &type.variables};
  return {{"name", type.name},
          {"file", file},
          {"line", at.line},
          {"parameters", parameters},
          {"statements", lines(to_text(names, type.body, 0))}};
}

Json session_json(const Session& session) {
  Json calls = Json::array();
  for (const Call& call : session.calls)
    calls.push_back(call.text);
  return {{"name", session.name}, {"calls", calls}};
}

template <class List, class Make>
Json list_json(const List& list, Make make) {
  Json out = Json::array();
  for (const auto& item : list)
    out.push_back(make(item));
  return out;
}

Json program_object(const Program& program) {
  const auto table = [&](const Table& t) { return table_json(program, t); };
  const auto type = [&](const TransactionType& t) { return type_json(program, t); };
  const auto invariant = [](const Invariant& i) {
    return Json{{"name", i.name}, {"text", i.text}};
  };
  return {{"file", program.file},
          {"tables", list_json(program.tables, table)},
          {"transactions", list_json(program.types, type)},
          {"initial", program.initial_rows.size() + program.initial_keys.size()},
          {"sessions", list_json(program.sessions, session_json)},
          {"invariants", list_json(program.invariants, invariant)}};
}

}  // namespace

std::string program_json(const Program& program, const Diagnostics& errors) {
  Json out = errors.empty() ? program_object(program) : Json::object();
  if (!errors.empty()) out["errors"] = diagnostics_json(errors);
  constexpr auto replace = Json::error_handler_t::replace;
  return out.dump(2, ' ', false, replace) + "\n";
}

}  // namespace isomer::report
