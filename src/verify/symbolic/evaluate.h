// SPDX-License-Identifier: MIT
// Expressions on cells: program/machine/evaluate.h with terms for values.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "verify/symbolic/symbolic.h"

namespace isomer::verify {

using program::Expression;

// The rows that columns speak of.
struct RowScope {
  std::span<const Row> current;  // by SourceId; exists is false: no partner in a LEFT JOIN
  const RowScope* around = nullptr;  // of the statement around a subquery

  // Where aggregates are allowed: the rows of the group, each with the condition that it is
  // in it.
  struct Member {
    Term is_in;
    std::vector<Row> rows;  // as `current` is
  };

  std::span<const Member> group;
};

// What evaluation needs, and what it finds out.
struct Evaluation {
  Terms& terms;
  const Program& program;
  const SymbolicOptions& options;
  std::span<const Cell> variables;
  std::span<const Cell> symbols;  // by Program::symbols; empty: none are allowed
  Term found;
  Term row_count;
  // Exists, InQuery, Scalar and ArrayQuery, under a condition.
  std::function<Cell(const Expression&, const RowScope*, Term when)> query;

  // Errors such as division by zero, first to last.  Each has the condition that it is met
  // and that no earlier one of this list was.
  struct Fault {
    Term when;
    std::string reason;
    std::string sqlstate;
    Span at;
  };

  std::vector<Fault> faults;
  Term has_fault;  // one of them
  std::vector<Approximation> approximations;
  Diagnostics unsupported;  // not empty: the result means nothing

  Evaluation(Terms& terms, const Program& program, const SymbolicOptions& options);

  void fail(Term when, std::string sqlstate, std::string reason, Span at);
  void refuse(Span at, const std::string& what);  // "verify cannot do ..."

  // Looks at the clock now and then.
  bool is_out_of_time();

 private:
  std::uint32_t steps_ = 0;
  bool is_out_of_time_ = false;
};

// The value of the expression, evaluated if `when` holds; faults are conditional on it, and
// follow the order of evaluation: what AND, OR, CASE and COALESCE skip cannot fail.
Cell evaluate(const Expression& expression, const RowScope* scope, Term when,
              Evaluation& evaluation);

// True, not NULL or false.
Term holds(const Expression& condition, const RowScope* scope, Term when,
           Evaluation& evaluation);

// As program::converted: assignment to a column or variable, or an explicit cast.
enum class Conversion : std::uint8_t { Assignment, Cast };
Cell converted(const Cell& cell, const program::Type& type, Conversion conversion,
               Term when, Span at, Evaluation& evaluation);

// One aggregate over the members of a group: count, sum, min, max, avg, as evaluate() does
// for Expression::Kind::Aggregate.
Cell aggregate(const Expression& expression, const RowScope& scope, Term when,
               Evaluation& evaluation);

// SQL's x = y and x < y as three-valued cells, and the order of ORDER BY.
Cell compare_equal(Terms& terms, const Cell& a, const Cell& b);
Cell compare_less(Terms& terms, const Cell& a, const Cell& b);
Term sorts_before(Terms& terms, const Cell& a, const Cell& b, bool is_descending,
                  bool nulls_first);

}  // namespace isomer::verify
