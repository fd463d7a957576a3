// SPDX-License-Identifier: MIT
// Expressions on values: litmus semantics where the type is Any, PostgreSQL's otherwise.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

// Why a transaction cannot go on, as a person would say it.
struct Fault {
  std::string reason;
  std::string sqlstate;  // empty in litmus programs
  Span at;
  // A limit of ours, where PostgreSQL may well go on: what the program does then is not
  // known, and whoever runs it must say so.
  bool is_limit = false;
  // Of servers other than PostgreSQL: their own number (1213), and the SQLSTATE of
  // PostgreSQL by which handlers of exceptions and retries go; empty: the same.
  std::uint32_t number = 0;
  std::string condition{};

  [[nodiscard]] const std::string& handled_as() const {
    return condition.empty() ? sqlstate : condition;
  }
};

// The rows that columns speak of.
struct Rows {
  std::span<const Value> current;  // by SourceId; Null: no partner in a LEFT JOIN
  const Rows* around = nullptr;    // of the statement around a subquery
  // Where aggregates are allowed: the rows of the group, each as `current` is.
  std::span<const std::vector<Value>> group;
};

// Evaluation stops for one of two reasons: a fault, or a value that is not known yet
// (`is_waiting`; what is missing is known to whoever answers `query`).  Once stopped, every
// evaluation gives Null at once, so callers ask only where they would act.
struct Context {
  std::span<const Value> variables;
  bool found = false;
  std::int64_t row_count = 0;
  // Exists, InQuery, Scalar and ArrayQuery; may set is_waiting.
  std::function<Value(const Expression&, const Rows*)> query;
  // FinalLocal and Symbol; without it they are the value in the expression.
  std::function<Value(const Expression&)> named;

  std::optional<Fault> fault;
  bool is_waiting = false;

  std::uint64_t work = 0;
  std::uint64_t work_max = 50'000'000;

  [[nodiscard]] bool is_stopped() const { return is_waiting || fault.has_value(); }

  // Stops with a fault once the work is too much.
  void spend(std::uint64_t effort);

  // Stops; Null, to be returned in place of a value.
  Value fail(std::string sqlstate, std::string reason);
  // The same, at a limit of ours.
  Value give_up(std::string sqlstate, std::string reason);
};

// Null if the evaluation stopped.
Value evaluate(const Expression& expression, const Rows* rows, Context& context);

// Is the condition true?  Not if it is NULL, nor if the evaluation stopped.
bool holds(const Expression& condition, const Rows* rows, Context& context);

// As an assignment to a column or variable of that type converts it: integers must fit,
// numerics are rounded, text must not be too long.  As an explicit cast: text is cut off.
enum class Conversion : std::uint8_t { Assignment, Cast };
Value converted(Value value, const Type& type, Conversion conversion, Context& context);

// SQL's x = y, x < y for values that are not null: numbers by value, text bytewise.
std::strong_ordering compare(const Value& a, const Value& b);

}  // namespace isomer::program
