// SPDX-License-Identifier: MIT
// How rows of tables become keys of the database: the one place that knows it.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "program/ir.h"
#include "program/machine/machine.h"

namespace isomer::program {

// The values of a table's primary key, in its order.
using PrimaryKey = std::vector<Value>;

PrimaryKey primary_key_of(const Table& table, std::span<const Value> row);

// "order_line/1/2/3"; '/', '%' and unprintable bytes inside a text are written %2F.
KeyName row_key(const Table& table, const PrimaryKey& key);
// The key of the table as a whole, and of one column of a row (Granularity::Field).
KeyName table_key(const Table& table);
KeyName field_key(const Table& table, const PrimaryKey& key, std::string_view column);

// The column that says whether a row exists, beside the columns of the table.
constexpr std::string_view alive_column = "%alive";

// The row that a key belongs to, of any granularity but Table; absent if it is of another
// table.
std::optional<PrimaryKey> parse_row_key(const Table& table, std::string_view key);

// What is in the database before the first transaction.
std::map<KeyName, Value> initial_database(const Program& program,
                                          Granularity granularity = Granularity::Row);

// The keys of the database that start with the prefix of a WantsUniverse: its answer.
std::vector<KeyName> universe_of(std::string_view prefix,
                                 const std::map<KeyName, Value>& database);
// Those of all rows of a table.
std::vector<KeyName> universe_of(const Table& table,
                                 const std::map<KeyName, Value>& database);
// What all keys of rows begin with whose primary key begins with these values.
KeyName key_prefix(const Table& table, const PrimaryKey& values);

}  // namespace isomer::program
