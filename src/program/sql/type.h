// SPDX-License-Identifier: MIT
// SQL types: their names, and which turns into which without being told.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "program/ir.h"
#include "program/sql/parse.h"

namespace isomer::program {

// "integer", "numeric(12,2)": as PostgreSQL names them in messages and `show` prints them.
// Without what limits it: numeric for numeric(12,2), text for varchar(10).
std::string_view name_of(TypeKind kind);
std::string to_text(const Type& type);

// int4range and its kin.
std::optional<Type> range_named(std::string_view name);

// A type that a program may name, by a TypeName node; else why not.
tl::expected<Type, std::string> type_of(const SqlNode& type_name);

// How willing a conversion is: inside expressions, where a value is stored, or by a cast.
enum class Willing : std::uint8_t { Implicit, Assignment, Explicit };

bool is_castable(TypeKind from, TypeKind to, Willing willing);
// Of arrays, whose elements are cast, too.
bool is_castable(const Type& from, const Type& to, Willing willing);

bool is_integer(TypeKind kind);
bool is_number(TypeKind kind);

// The type two operands are brought to; absent if there is none.
std::optional<TypeKind> common_kind(TypeKind a, TypeKind b);

inline Type type(TypeKind kind) {
  return {.kind = kind, .precision = {}, .scale = 0, .length_max = {}, .is_padded = false};
}

inline Type array_of(TypeKind element) {
  Type out = type(TypeKind::Array);
  out.element = element;
  return out;
}

inline Type element_of(const Type& array) {
  return type(array.element);
}

// The same without precision or length: what an operand of that type is brought to.
inline Type unlimited(const Type& of) {
  Type out = type(of.kind);
  out.is_padded = of.is_padded;
  out.is_varying = of.is_varying;
  out.element = of.element;
  return out;
}

// Same kind, precision, scale and length.
bool is_same(const Type& a, const Type& b);

// Whether it restricts the values of its kind: numeric(p,s), varchar(n).
bool is_restricted(const Type& type);

}  // namespace isomer::program
