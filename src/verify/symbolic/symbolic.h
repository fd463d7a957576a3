// SPDX-License-Identifier: MIT
// Symbolic execution of one transaction, or one query, on terms.
//
// Both branches of an IF are executed, each under its condition, and what they leave is
// joined by `choose`; loops are unrolled.  So there is one summary for all paths, and the
// solver chooses the path.  The semantics is that of program/machine/machine.h, statement
// by statement and in the same order of accesses.
#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "verify/symbolic/database.h"

namespace isomer::verify {

// Why a transaction does not commit, and when.  Conditions of one transaction exclude each
// other.
struct Abort {
  Term when;
  bool is_assert = false;  // a failed ASSERT
  std::string reason;      // as far as it is known without values
  Span at;
};

// What was not done exactly: the answer must say so.
struct Approximation {
  enum class Kind : std::uint8_t {
    Uninterpreted,  // a function of text and the like: any function
    Unrolled,       // a loop went on beyond the bound: `when` says so
    Arithmetic,     // mathematical numbers where PostgreSQL would round or overflow
    Limit,          // we fail, where PostgreSQL may go on
  };
  Kind kind = Kind::Uninterpreted;
  Term when;
  std::string what;  // "lower()", "WHILE"
  Span at;
};

struct SymbolicOptions {
  bool has_overflow = false;      // 32/64-bit errors, and numeric(p, s) that is too large
  std::uint32_t unroll_max = 16;  // rounds of WHILE, LOOP and FOR i IN with open bounds
  Budget budget{};                // once it is exhausted, results mean nothing
};

struct Effect {
  Term commits;
  std::vector<Abort> aborts;
  Cell result;  // RETURN
  std::vector<Approximation> approximations;
};

// Runs the call's transaction type on `store`.  A construct that cannot be done is a
// diagnostic with its place.
Expected<Effect> execute(Terms& terms, const Program& program, std::uint32_t type,
                         std::span<const Cell> arguments, Store& store,
                         const SymbolicOptions& options);

// A boolean query without variables, as invariants are: true, false or null, and whether
// it fails with an error.  `symbols` by Program::symbols, for those (?x) that it mentions.
struct QueryTruth {
  Term is_true;  // it is true, without an error
  Term is_error;
  std::vector<Approximation> approximations;
};

Expected<QueryTruth> query_truth(Terms& terms, const Program& program,
                                 const program::Select& query, Database& database,
                                 std::span<const Cell> symbols,
                                 const SymbolicOptions& options);

// The value of an argument of a call: a constant, ?x, or computed from them.  One that may
// fail is a diagnostic.
Expected<Cell> argument_value(Terms& terms, const Program& program,
                              const program::Expression& argument,
                              std::span<const Cell> symbols,
                              const SymbolicOptions& options);

// A condition over symbols (?x): [assume].  `symbols` by Program::symbols.
Expected<Term> condition_truth(Terms& terms, const Program& program,
                               const program::Expression& condition,
                               std::span<const Cell> symbols,
                               const SymbolicOptions& options);

// CHECK and NOT NULL of a row.
Expected<Term> row_is_valid(Terms& terms, const Program& program, TableId table,
                            const Row& row, const SymbolicOptions& options);

}  // namespace isomer::verify
