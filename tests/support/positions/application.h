// SPDX-License-Identifier: MIT
// Small applications for two descriptions of PostgreSQL to be held to each other: tables
// t, g and c of three numbers (id, a, b), and a few short transactions a session.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "database/schedule.h"
#include "program/ir.h"

namespace isomer::positions {

using Number = std::optional<int>;  // nothing: NULL
using Values = std::array<Number, 3>;

enum class Table : std::uint8_t { T, G, C };
enum class Column : std::uint8_t { Id, A, B };

struct Query;

struct Expression {
  enum class Kind : std::uint8_t { Constant, Column, Variable, Plus, Aggregate };

  Kind kind = Kind::Constant;
  Number constant{};
  Column column = Column::Id;
  std::vector<Expression> parts{};       // Plus: two
  std::shared_ptr<const Query> query{};  // Aggregate
};

struct Comparison {
  enum class Kind : std::uint8_t { Equal, Different, Less, Greater, IsNull };

  Kind kind = Kind::Equal;
  Expression left;
  Expression right{};  // not of IsNull
};

using Condition = std::vector<Comparison>;  // all of them

// sum(id * 10 + a) or count(*), never NULL.
struct Query {
  Table table = Table::T;
  Condition where;
  bool is_sum = false;
};

enum class RowLock : std::uint8_t { KeyShare, Share, NoKeyUpdate, Update };
enum class Patience : std::uint8_t { Waits, NoWait, SkipLocked };

struct Statement {
  enum class Kind : std::uint8_t {
    Select,  // x := an aggregate
    Lock,    // SELECT .. ORDER BY id FOR ..; x := the sum of a
    Insert,
    Update,
    Delete,
    Advisory,
    GiveUp,  // RAISE
  };

  // Only IF x > minimum.
  std::optional<int> minimum{};
  Kind kind = Kind::Select;
  Table table = Table::T;
  Condition where{};
  bool is_sum = false;  // Select
  RowLock lock = RowLock::Update;
  Patience patience = Patience::Waits;
  bool only_first = false;             // Lock: LIMIT 1
  Column column = Column::A;           // Update
  Expression value{};                  // Update
  std::array<Expression, 3> values{};  // Insert
  int number = 0;                      // Advisory
  bool is_shared = false;              // Advisory
};

struct Transaction {
  database::IsolationLevel level = database::IsolationLevel::ReadCommitted;
  std::vector<Statement> statements;
};

struct Application {
  bool has_foreign_key = false;  // c.b REFERENCES t
  bool has_unique = false;       // t.b UNIQUE
  std::map<Table, std::vector<Values>> rows;
  std::vector<std::vector<Transaction>> sessions;  // each in its order
};

std::string_view name(Table table);
std::string text_of(const Number& number);

// The key that the condition names, if it is about one row.
std::optional<int> key_of(const Condition& condition);

// --- as SQL ---

struct ApplicationText {
  std::string application;
  std::string scenario;  // without the line that names the application
};

ApplicationText text_of(const Application& application);

// What explore runs, and what BEGIN says for each of its transaction types.
program::Program program_of(const Application& application);
std::vector<database::BeginOptions> begin_options(const Application& application);

}  // namespace isomer::positions
