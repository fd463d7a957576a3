// SPDX-License-Identifier: MIT
// Values of SQL whose content is a term: a flag for NULL, and the data.
//
// bool is a Bool; int, date (days) and timestamp (microseconds) are Ints; numeric is a
// Real; text is a Text.  A record is a list of cells.  An array is a list of cells, too,
// each with a condition that it is there; its data is a Text that only stands for the
// whole.  What the data is where the flag says NULL does not matter.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "logic/term.h"
#include "program/ir.h"

namespace isomer::verify {

using logic::Term;
using logic::Terms;
using logic::TermSort;

// How many digits a numeric shows after its point: 1.50 equals 1.5, but is another text.
struct Scale {
  std::uint16_t least = 0;
  std::uint16_t most = 0;
};

struct Cell {
  program::Type type;
  Term is_null;
  Term data;
  // Of a record, whose is_null and data are not used; or what may be in an array, in order.
  std::vector<Cell> fields;
  // Of a numeric; absent: what the type says.  Whoever changes the data changes it, too.
  std::optional<Scale> scale = std::nullopt;
  std::vector<Term> present = {};  // of an array: whether each of the fields is in it
};

// A row of a table: whether it is there, and its columns.
struct Row {
  Term exists;
  std::vector<Cell> columns;
};

// The sort of the data of a type.
TermSort sort_of(const program::Type& type);

// What is known of the scale of a number; absent: nothing.
std::optional<Scale> scale_of(const Cell& cell);

Cell null_cell(Terms& terms, const program::Type& type);
Cell constant_cell(Terms& terms, const program::Value& value, const program::Type& type);
// A new unknown of the type.  If it may not be null, is_null is false.  A numeric(p, s) is
// a number of units of its last digit, so that the solver finds no third of a cent.
Cell unknown_cell(Terms& terms, const program::Type& type, std::string_view name,
                  bool may_be_null);
// It is null or a number or moment that its type has: 32 bits, digits of a numeric(p, s),
// years up to 9999.  Nothing is asked of texts.
Term is_in_range(Terms& terms, const Cell& cell);
Row absent_row(Terms& terms, const program::Table& table);
Row constant_row(Terms& terms, const program::Table& table,
                 std::span<const program::Value> values);

Cell choose(Terms& terms, Term condition, const Cell& then, const Cell& otherwise);
Row choose(Terms& terms, Term condition, const Row& then, const Row& otherwise);

// Of arrays that are not null: as many elements, each equal or NULL in both.
Term equal_arrays(Terms& terms, const Cell& a, const Cell& b);

// Both null, or both not null and equal (IS NOT DISTINCT FROM).
Term identical(Terms& terms, const Cell& a, const Cell& b);
Term identical(Terms& terms, const Row& a, const Row& b);
Term all_identical(Terms& terms, std::span<const Cell> a, std::span<const Cell> b);
Term has_null(Terms& terms, std::span<const Cell> cells);
// Equal and not null, column by column: primary keys.
Term same_key(Terms& terms, std::span<const Cell> a, std::span<const Cell> b);
// a is before b in the order of primary keys.
Term key_before(Terms& terms, std::span<const Cell> a, std::span<const Cell> b);

}  // namespace isomer::verify
