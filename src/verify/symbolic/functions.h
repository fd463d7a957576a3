// SPDX-License-Identifier: MIT
// The functions behind evaluate(): private to it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "program/machine/evaluate.h"
#include "verify/symbolic/evaluate.h"

namespace isomer::verify {

using program::Function;
using program::Type;
using program::TypeKind;
using program::Value;

inline Type type_of_kind(TypeKind kind) {
  return {.kind = kind, .precision = {}, .scale = 0, .length_max = {}, .is_padded = false};
}

inline bool is_integer(const Type& type) {
  return type.kind == TypeKind::Int2 || type.kind == TypeKind::Int4 ||
         type.kind == TypeKind::Int8;
}

// A cell that is not null.
Cell value_cell(Terms& terms, const Type& type, Term data,
                std::optional<Scale> scale = std::nullopt);

// --- what is known ---

// The value that the cell has where it is not null, if its data is a constant.
std::optional<Value> known_value(const Terms& terms, const Cell& cell);
// Null, or not null and known.
std::optional<Value> known(const Terms& terms, const Cell& cell);

// A function that is null if an argument is: the concrete one, and the same on terms.
struct Operation {
  Type type;  // of the result
  Span at;
  // Terms cannot say what it does, so arguments that are a choice of constants are tried
  // one by one.
  bool is_open = false;
  std::function<Value(std::span<const Value>, program::Context&)> on_values;
  // Where `runs` holds no argument is null.
  std::function<Cell(std::span<const Cell>, Term runs)> on_cells;
};

// With the concrete function where the arguments are known, so that concrete programs stay
// concrete and have its faults.
Cell applied(const Operation& operation, std::vector<Cell> arguments, Term when,
             Evaluation& evaluation);

// What the concrete function gives, or its fault.
Cell computed(const Type& type, Span at, Term runs, Evaluation& evaluation,
              const std::function<Value(program::Context&)>& function);

// --- functions; where `runs` holds no argument is null ---

Cell call_strict(const Expression& call, std::vector<Cell> arguments, Term when,
                 Evaluation& evaluation);
Cell arithmetic(const Expression& call, std::span<const Cell> arguments, Term runs,
                Evaluation& evaluation);
Cell rounding(const Expression& call, std::span<const Cell> arguments, Term runs,
              Evaluation& evaluation);
Cell raised(const Expression& call, std::span<const Cell> arguments, Term runs,
            Evaluation& evaluation);
Cell call_text(const Expression& call, std::span<const Cell> arguments, Term runs,
               Evaluation& evaluation);

// The value of any function of the data of the arguments; says so.
Term any_function(const std::string& name, std::span<const Cell> arguments, TermSort result,
                  Evaluation& evaluation);
// A value that we cannot compute where `runs` holds: there the answer is not known.
Cell beyond(const Type& type, Term runs, const std::string& sqlstate,
            const std::string& what, Span at, Evaluation& evaluation);

void approximate(Approximation::Kind kind, Term when, const std::string& what, Span at,
                 Evaluation& evaluation);

// --- what steers evaluation ---

Cell junction(const Expression& call, const RowScope* scope, Term when,
              Evaluation& evaluation);
Cell first_not_null(const Expression& call, const RowScope* scope, Term when,
                    Evaluation& evaluation);
Cell choose_case(const Expression& expression, const RowScope* scope, Term when,
                 Evaluation& evaluation);
Cell in_list(const Expression& expression, const RowScope* scope, Term when,
             Evaluation& evaluation);

// --- arrays (array.cpp) ---

// These elements, of which each is there under its condition.
Cell array_cell(Terms& terms, const Type& type, std::vector<Cell> elements,
                std::vector<Term> present);
// Is it an array, or has it one as an argument?
bool is_about_arrays(const Expression& call);
Cell call_array(const Expression& call, const std::vector<Cell>& cells,
                Evaluation& evaluation);
// x = ANY (v), x <> ALL (v)
Cell over_elements(const Expression& expression, const RowScope* scope, Term when,
                   Evaluation& evaluation);
Cell converted_array(const Cell& cell, const Type& type, Conversion conversion, Term when,
                     Span at, Evaluation& evaluation);

// --- numbers ---

// The data of both as terms of one sort: numbers, or moments.
std::pair<Term, Term> aligned(Terms& terms, const Cell& a, const Cell& b);
Term equal_data(Terms& terms, const Cell& a, const Cell& b);
Term less_data(Terms& terms, const Cell& a, const Cell& b);

Term as_real(Terms& terms, const Cell& cell);
// Fails if its type has no such value, and the options want to know.
void check_range(const Cell& cell, Term runs, Span at, Evaluation& evaluation);
// The data rounded to so many digits after the point, if it may have more.
Term rounded_data(Terms& terms, const Cell& cell, std::uint16_t digits);

// Microseconds.
constexpr std::int64_t day_length = 86'400'000'000;

}  // namespace isomer::verify
