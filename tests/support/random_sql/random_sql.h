// SPDX-License-Identifier: MIT
// Random statements of the SQL that Isomer understands, as functions of an application:
// the same text goes to Isomer and to PostgreSQL.
//
// Every statement is well typed.  What both must agree on is hidden in the values: NULLs,
// the ends of the integer types, empty texts, empty sets, keys that exist already.  Where
// SQL leaves the order of evaluation open (WHERE, IN lists, aggregates) no operand can
// fail, so that there is one right answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace isomer::test {

struct RandomSql {
  // Tables t and u, a procedure fill() that inserts rows into them, and a function without
  // arguments for each statement.
  std::string sql;
  std::vector<std::string> calls;  // fill() first
};

// So many statements, and a quarter as many about arrays behind them.
RandomSql random_sql(std::uint64_t seed, int statements);

// Statements over rows that are computed (random_computed.h), which not every engine reads.
RandomSql random_computed_sql(std::uint64_t seed, int statements);

}  // namespace isomer::test
