// SPDX-License-Identifier: MIT
#include "record/statement_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace isomer::record {
namespace {

using program::AsksServer;
using program::PrintNames;
using program::quoted_name;
using program::Select;
using program::Statement;
using program::Table;

constexpr std::string_view notice_word = "isomer ";

bool is_change(const Statement& statement) {
  return statement.insert || statement.update || statement.erase;
}

bool has_returning(const Statement& statement) {
  return (statement.insert && !statement.insert->returning.empty()) ||
         (statement.update && !statement.update->returning.empty()) ||
         (statement.erase && !statement.erase->returning.empty());
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, ", "));
}

// ARRAY[a.xmin::text, a.id::text]: which version of which row was locked.
std::string locked_row(const Table& table, const std::string& alias) {
  const std::string name = quoted_name(alias);
  std::vector<std::string> parts = {name + ".xmin::text"};
  for (const program::ColumnId column : table.primary_key)
    parts.push_back(
        fmt::format("{}.{}::text", name, quoted_name(table.columns[column.index].name)));
  return fmt::format("ARRAY[{}]", joined(parts));
}

// The locking SELECT, with a column more for each table whose rows it locks.
std::string with_locks(const PrintNames& names, const Select& query, std::string text,
                       AskedText& to) {
  static constexpr std::string_view verb = "SELECT ";
  std::vector<std::string> columns;
  for (const program::Source& source : query.from) {
    if (source.lock == program::Lock::None) continue;
    columns.push_back(
        fmt::format("{} AS isomer_{}",
                    locked_row(names.program.tables[source.table.index], source.alias),
                    to.locks.size()));
    to.locks.push_back(source.table);
  }
  if (columns.empty() || !text.starts_with(verb)) return text;
  const bool is_bare = query.columns.empty();
  return text.insert(verb.size(), joined(columns) + (is_bare ? " " : ", "));
}

template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number out{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  if (text.starts_with(' ')) text.remove_prefix(1);
  return out;
}

std::optional<std::uint32_t> take_writer(std::string_view& text) {
  if (!text.starts_with("- ")) return take_number<std::uint32_t>(text);
  text.remove_prefix(2);
  return std::nullopt;
}

std::optional<Value> value_of(const std::optional<std::string>& text,
                              const program::Type& type) {
  return text ? server::value_of_text(*text, type) : std::optional(Value());
}

// The values of an array of texts.
std::optional<std::vector<Value>> values_of(
    std::span<const std::optional<std::string>> texts, const Table& table,
    std::span<const program::ColumnId> columns) {
  std::vector<Value> out;
  if (texts.size() != columns.size()) return std::nullopt;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    auto value = value_of(texts[i], table.columns[columns[i].index].type);
    if (!value) return std::nullopt;
    out.push_back(std::move(*value));
  }
  return out;
}

std::vector<program::ColumnId> columns_of(const Table& table) {
  std::vector<program::ColumnId> out;
  for (std::uint32_t i = 0; i < table.columns.size(); ++i)
    out.push_back({i});
  return out;
}

// ARRAY[old.a::text, old.b::text]
std::string values_text(const Table& table, std::string_view row,
                        std::span<const program::ColumnId> columns) {
  std::vector<std::string> parts;
  for (const program::ColumnId column : columns)
    parts.push_back(
        fmt::format("{}.{}::text", row, quoted_name(table.columns[column.index].name)));
  return fmt::format("ARRAY[{}]", joined(parts));
}

std::optional<LockedRow> locked_row_of(const program::Program& program, TableId id,
                                       const Value& cell) {
  const Table& table = program.tables[id.index];
  std::vector<std::optional<std::string>> texts;
  for (const Value& item : cell.items()) {
    const auto* text = item.get_if<std::string>();
    texts.push_back(text != nullptr ? std::optional(*text) : std::nullopt);
  }
  if (texts.empty() || !texts[0]) return std::nullopt;
  std::string_view writer = *texts[0];
  const auto written = take_number<std::uint32_t>(writer);
  auto key = values_of(std::span(texts).subspan(1), table, table.primary_key);
  if (!written || !key) return std::nullopt;
  return LockedRow{.table = id, .key = std::move(*key), .written = *written};
}

}  // namespace

bool takes_snapshot(const AsksServer& what) {
  if (what.kind == AsksServer::Kind::Value) return true;
  return what.kind == AsksServer::Kind::Statement &&
         what.statement->kind != Statement::Kind::LockTable;
}

AskedText asked_text(const PrintNames& names, const AsksServer& what,
                     IsolationLevel level) {
  AskedText out{.text = program::server_text(names, what)};
  const bool is_value = what.kind == AsksServer::Kind::Value;
  if (!takes_snapshot(what) || (!is_value && what.statement->advisory)) return out;
  std::string within = out.text;
  if (!is_value && what.statement->query)
    within = with_locks(names, *what.statement->query, std::move(within), out);
  const bool has_own = level <= IsolationLevel::ReadCommitted;
  if (!has_own && out.locks.empty()) return out;
  if (!has_own) {
    out.text = within;
    return out;
  }
  const bool changes = !is_value && is_change(*what.statement);
  if (changes && !has_returning(*what.statement)) within += " RETURNING 1 AS isomer_one";
  out.has_snapshot = true;
  out.has_mark = true;
  out.text = fmt::format(
      "WITH isomer_q AS {}({}) SELECT pg_current_snapshot()::text, isomer_r.* FROM (SELECT "
      "1) isomer_s LEFT JOIN (SELECT 1 AS isomer_m, isomer_q.* FROM isomer_q) isomer_r ON "
      "true",
      changes ? "" : "MATERIALIZED ", within);
  return out;
}

bool take_added(const program::Program& program, const AskedText& asked,
                server::StatementResult& result, LiveStatement& to, std::string& snapshot) {
  const std::size_t first_lock =
      (asked.has_snapshot ? 1U : 0U) + (asked.has_mark ? 1U : 0U);
  const std::size_t added = first_lock + asked.locks.size();
  if (asked.has_snapshot) {
    if (result.rows.empty() || result.rows[0].empty()) return false;
    const auto* text = result.rows[0][0].get_if<std::string>();
    if (text == nullptr) return false;
    snapshot = *text;
  }
  if (asked.has_mark)
    std::erase_if(result.rows, [](const auto& row) { return row[1].is_null(); });
  if (asked.has_mark || added > 0)
    result.count = static_cast<std::int64_t>(result.rows.size());
  for (auto& row : result.rows) {
    if (row.size() < added) return false;
    for (std::size_t i = 0; i < asked.locks.size(); ++i) {
      auto locked = locked_row_of(program, asked.locks[i], row[first_lock + i]);
      if (!locked) return false;
      to.locked.push_back(std::move(*locked));
    }
    row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(added));
  }
  return true;
}

// --- triggers ---

std::vector<std::string> trigger_definitions(const program::Program& program) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < program.tables.size(); ++i) {
    const Table& table = program.tables[i];
    const auto all = columns_of(table);
    const std::string function = fmt::format("isomer_tell_{}", i);
    const std::string old_key = values_text(table, "old", table.primary_key);
    const std::string row = values_text(table, "new", all);
    const auto raise = [&](std::string_view before, std::string_view after,
                           std::string_view values) {
      return fmt::format(
          "RAISE NOTICE USING MESSAGE = concat('{}{} ', pg_current_xact_id(), ' ', {}, ' "
          "', "
          "{}, ' ', {});",
          notice_word, i, before, after, values);
    };
    out.push_back(fmt::format(
        "CREATE FUNCTION {}() RETURNS trigger LANGUAGE plpgsql AS $isomer$ BEGIN IF TG_OP "
        "= "
        "'INSERT' THEN {} ELSIF TG_OP = 'UPDATE' THEN {} ELSE {} END IF; RETURN NULL; END "
        "$isomer$",
        function, raise("'-'", "new.xmin", "'{} ', " + row),
        raise("old.xmin", "new.xmin", fmt::format("{}, ' ', {}", old_key, row)),
        raise("old.xmin", "'-'", old_key + ", ' {}'")));
    out.push_back(
        fmt::format("CREATE TRIGGER isomer_tell AFTER INSERT OR UPDATE OR DELETE ON {} FOR "
                    "EACH ROW EXECUTE FUNCTION {}()",
                    quoted_name(table.name), function));
  }
  return out;
}

std::optional<RowChange> parse_change(const program::Program& program,
                                      std::string_view notice) {
  if (!notice.starts_with(notice_word)) return std::nullopt;
  notice.remove_prefix(notice_word.size());
  const auto place = take_number<std::uint32_t>(notice);
  const auto number = take_number<std::uint64_t>(notice);
  if (!place || !number || *place >= program.tables.size()) return std::nullopt;
  RowChange out{.table = {*place},
                .transaction = *number,
                .replaced = take_writer(notice),
                .written = {}};
  out.written = take_writer(notice);
  const Table& table = program.tables[*place];
  const auto old_key = server::take_array(notice);
  if (notice.starts_with(' ')) notice.remove_prefix(1);
  const auto row = server::take_array(notice);
  if (out.replaced) {
    auto key = values_of(old_key, table, table.primary_key);
    if (!key) return std::nullopt;
    out.old_key = std::move(*key);
  }
  if (out.written) {
    auto values = values_of(row, table, columns_of(table));
    if (!values) return std::nullopt;
    out.row = Value::list(std::move(*values));
  }
  return out;
}

}  // namespace isomer::record
