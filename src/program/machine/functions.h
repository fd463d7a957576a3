// SPDX-License-Identifier: MIT
// The functions behind evaluate(), private to it, and to constraints over their values.
#pragma once

#include <span>
#include <string_view>

#include "program/machine/evaluate.h"

namespace isomer::program {

// Arguments are evaluated; And, Or and Not are the evaluator's.
Value call_litmus(Function function, std::span<const Value> arguments, Context& context);

// Arguments are evaluated and not null.
Value call_sql(const Expression& call, std::span<const Value> arguments, Context& context);
Value call_text(Function function, std::span<const Value> arguments, Context& context);
Value arithmetic(const Expression& call, std::span<const Value> arguments,
                 Context& context);

// The sum of two SQL numbers of that type.
Value sum_of(const Value& a, const Value& b, const Type& type, Context& context);

// =, <> and the like of values that are not null.
Value comparison(Function function, const Value& a, const Value& b);

// Append, Prepend, Concat, Remove and Position take nulls; no argument of the others is
// null.
Value call_array(Function function, std::span<const Value> arguments, Context& context);

// An array as PostgreSQL writes it: {1,NULL,"a b"}.
Value array_of_text(const std::string& text, const Type& type, Context& context);

// Values of int4range and its kin are kept as the text that PostgreSQL shows ("[1,5)"): two
// ranges are equal if their texts are.  Of '[1,5)', as a person may write it; fails if that
// is no range.
Value to_range(const std::string& text, const Type& type, Context& context);
// No argument is null, but for the bounds of MakeRange.
Value evaluate_range(Function function, const Type& range, std::span<const Value> arguments,
                     Context& context);
bool do_ranges_overlap(const Value& a, const Value& b, TypeKind element);

Value aggregate(const Expression& aggregate, const Rows* rows, Context& context);

// Texts longer and lists heavier than this abort the transaction that makes them.
constexpr std::size_t text_bytes_max = std::size_t{16} << 20;

// Whether an integer type has this number.
bool fits_into(std::int64_t number, TypeKind kind);

Value checked_text(std::string text, Context& context);

std::size_t character_count(std::string_view text);
// Bytes of the first `count` characters.
std::size_t prefix_bytes(std::string_view text, std::size_t count);

}  // namespace isomer::program
