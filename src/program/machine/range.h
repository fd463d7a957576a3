// SPDX-License-Identifier: MIT
// Values of int4range and its kin.  A range is kept as the text that PostgreSQL shows of it
// ("[1,5)"): two ranges are equal if their texts are.
#pragma once

#include <span>
#include <string>

#include "program/ir.h"

namespace isomer::program {

struct Context;

// Of '[1,5)', as a person may write it; fails if that is no range.
Value to_range(const std::string& text, const Type& type, Context& context);

// The functions of ranges.  Their arguments are not Null, but for the bounds of MakeRange.
Value evaluate_range(Function function, const Type& range, std::span<const Value> arguments,
                     Context& context);

bool do_ranges_overlap(const Value& a, const Value& b, TypeKind element);

}  // namespace isomer::program
