// SPDX-License-Identifier: MIT
// A row is one key, table/pk.  With Granularity::Table a whole table is one key, whose
// value is the list of its rows; with Granularity::Field each column of each row is a key,
// table/pk/column, and table/pk/%alive says whether the row exists.
#include "program/machine/keys.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"
#include "program/machine/evaluate.h"

namespace isomer::program {
namespace {

bool is_escaped(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return c == '/' || c == '%' || byte < 0x20 || byte == 0x7f;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_escaped(c))
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    else
      out.push_back(c);
  }
  return out;
}

std::string unescaped(std::string_view text) {
  const auto digit = [](char c) { return c >= 'A' ? c - 'A' + 10 : c - '0'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size()) {
      out.push_back(static_cast<char>(digit(text[i + 1]) * 16 + digit(text[i + 2])));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

// Equal numbers must give equal keys: 1.50 and 1.5 are one row.
std::string key_part(const Value& value) {
  if (const auto* number = value.get_if<Decimal>()) return to_text(normalized(*number));
  if (const auto* text = value.get_if<std::string>()) return escaped(*text);
  return to_text(value);
}

void add_row(const Table& table, const std::vector<Value>& row, Granularity granularity,
             std::map<KeyName, Value>& database) {
  const PrimaryKey key = primary_key_of(table, row);
  switch (granularity) {
    case Granularity::Row:
      database[row_key(table, key)] = Value::list(row);
      return;
    case Granularity::Table: {
      Value& whole = database[table_key(table)];
      std::vector<Value> rows(whole.items().begin(), whole.items().end());
      rows.push_back(Value::list(row));
      whole = Value::list(std::move(rows));
      return;
    }
    case Granularity::Field:
      database[field_key(table, key, alive_column)] = Value::boolean(true);
      for (std::size_t i = 0; i < row.size(); ++i)
        database[field_key(table, key, table.columns[i].name)] = row[i];
      return;
  }
}

}  // namespace

PrimaryKey primary_key_of(const Table& table, std::span<const Value> row) {
  PrimaryKey out;
  out.reserve(table.primary_key.size());
  for (const ColumnId column : table.primary_key)
    out.push_back(row[column.index]);
  return out;
}

KeyName table_key(const Table& table) {
  return escaped(table.name);
}

KeyName row_key(const Table& table, const PrimaryKey& key) {
  KeyName out = table_key(table);
  for (const Value& value : key) {
    out.push_back('/');
    out += key_part(value);
  }
  return out;
}

KeyName field_key(const Table& table, const PrimaryKey& key, std::string_view column) {
  return fmt::format("{}/{}", row_key(table, key), column);
}

std::optional<PrimaryKey> parse_row_key(const Table& table, std::string_view key) {
  const KeyName prefix = table_key(table);
  if (!key.starts_with(prefix)) return std::nullopt;
  key.remove_prefix(prefix.size());
  PrimaryKey out;
  Context context;
  for (const ColumnId column : table.primary_key) {
    if (!key.starts_with('/')) return std::nullopt;
    key.remove_prefix(1);
    const std::string_view part = key.substr(0, key.find('/'));
    out.push_back(converted(Value::text(unescaped(part)), table.columns[column.index].type,
                            Conversion::Cast, context));
    key.remove_prefix(part.size());
  }
  if (context.is_stopped()) return std::nullopt;
  return out;
}

std::map<KeyName, Value> initial_database(const Program& program, Granularity granularity) {
  std::map<KeyName, Value> out(program.initial_keys.begin(), program.initial_keys.end());
  for (const auto& [table, row] : program.initial_rows)
    add_row(program.tables[table.index], row, granularity, out);
  return out;
}

KeyName key_prefix(const Table& table, const PrimaryKey& values) {
  return row_key(table, values) + '/';
}

std::vector<KeyName> universe_of(std::string_view prefix,
                                 const std::map<KeyName, Value>& database) {
  std::vector<KeyName> out;
  for (auto key = database.lower_bound(KeyName(prefix));
       key != database.end() && key->first.starts_with(prefix); ++key)
    out.push_back(key->first);
  return out;
}

std::vector<KeyName> universe_of(const Table& table,
                                 const std::map<KeyName, Value>& database) {
  return universe_of(key_prefix(table, {}), database);
}

}  // namespace isomer::program
