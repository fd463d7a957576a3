// SPDX-License-Identifier: MIT
#include "program/sql/type.h"

#include <array>

#include <fmt/format.h>

namespace isomer::program {
namespace {

struct TypeName {
  std::string_view name;
  TypeKind kind;
};

constexpr std::array type_names = {
    TypeName{"bool", TypeKind::Bool},       TypeName{"boolean", TypeKind::Bool},
    TypeName{"int2", TypeKind::Int2},       TypeName{"smallint", TypeKind::Int2},
    TypeName{"bpchar", TypeKind::Text},     TypeName{"int4", TypeKind::Int4},
    TypeName{"integer", TypeKind::Int4},    TypeName{"int", TypeKind::Int4},
    TypeName{"int8", TypeKind::Int8},       TypeName{"bigint", TypeKind::Int8},
    TypeName{"numeric", TypeKind::Numeric}, TypeName{"decimal", TypeKind::Numeric},
    TypeName{"text", TypeKind::Text},       TypeName{"varchar", TypeKind::Text},
    TypeName{"date", TypeKind::Date},       TypeName{"timestamp", TypeKind::Timestamp}};

// Ranges of values of these kinds.
constexpr std::array range_names = {
    TypeName{"int4range", TypeKind::Int4}, TypeName{"int8range", TypeKind::Int8},
    TypeName{"daterange", TypeKind::Date}, TypeName{"tsrange", TypeKind::Timestamp}};

std::string_view range_name(TypeKind element) {
  for (const TypeName& known : range_names)
    if (known.kind == element) return known.name;
  return "range";
}

struct Refusal {
  std::string_view name;
  std::string_view reason;
};

constexpr std::array refusals = {
    Refusal{"float4", "type real is not exact and not supported; use numeric"},
    Refusal{"float8", "type double precision is not exact and not supported; use numeric"},
    Refusal{"timestamptz", "type timestamp with time zone is not supported; use timestamp"},
    Refusal{"serial",
            "type serial is not supported: the next number of a sequence is an "
            "input of the call"},
    Refusal{"bigserial",
            "type bigserial is not supported: the next number of a sequence "
            "is an input of the call"},
};

// numeric(p[,s]) and varchar(n); the numbers are constants in the tree.
tl::expected<Type, std::string> with_modifiers(Type type, const SqlNode& modifiers) {
  const auto number = [&](std::size_t i) {
    return modifiers.item(i)["ival"]["ival"].number();
  };
  const std::size_t count = modifiers.items().size();
  if (count == 0) return type;
  if (type.kind == TypeKind::Numeric && count <= 2) {
    if (number(0) < 1 || number(0) > 38 || number(1) < 0 || number(1) > number(0))
      return tl::unexpected(
          fmt::format("numeric({},{}) is not supported: the precision is 1 to 38, the "
                      "scale 0 to the precision",
                      number(0), number(1)));
    type.precision = static_cast<std::uint16_t>(number(0));
    type.scale = static_cast<std::uint16_t>(number(1));
    return type;
  }
  if (type.kind == TypeKind::Text && count == 1) {
    if (number(0) < 1 || number(0) > 10485760)
      return tl::unexpected(fmt::format("the length of {} is 1 to 10485760",
                                        type.is_padded ? "char" : "varchar"));
    type.length_max = static_cast<std::uint32_t>(number(0));
    return type;
  }
  return tl::unexpected(fmt::format("type {} takes no modifier here", to_text(type)));
}

tl::expected<Type, std::string> array_type(const Type& element, std::size_t dimensions) {
  if (dimensions > 1)
    return tl::unexpected(
        std::string("arrays of more than one dimension are not supported"));
  if (is_restricted(element) || element.is_varying || element.kind == TypeKind::Range)
    return tl::unexpected(
        fmt::format("{}[] is not supported; use {}[]", to_text(element),
                    element.kind == TypeKind::Range ? "text" : name_of(element.kind)));
  return array_of(element.kind);
}

tl::expected<Type, std::string> scalar_type(const SqlNode& type_name) {
  const auto& names = type_name["names"].items();
  const std::string name = names.empty() ? "" : names.back().name();
  for (const Refusal& refusal : refusals)
    if (refusal.name == name) return tl::unexpected(std::string(refusal.reason));
  for (const TypeName& known : type_names)
    if (known.name == name) {
      Type of = type(known.kind);
      of.is_padded = name == "bpchar";
      of.is_varying = name == "varchar";
      return with_modifiers(of, type_name["typmods"]);
    }
  if (auto range = range_named(name)) return *range;
  return tl::unexpected(fmt::format("type {} is not supported", name));
}

}  // namespace

std::optional<Type> range_named(std::string_view name) {
  for (const TypeName& known : range_names)
    if (known.name == name) {
      Type out = type(TypeKind::Range);
      out.element = known.kind;
      return out;
    }
  return std::nullopt;
}

std::string_view name_of(TypeKind kind) {
  switch (kind) {
    case TypeKind::Any:
      return "unknown";
    case TypeKind::Bool:
      return "boolean";
    case TypeKind::Int2:
      return "smallint";
    case TypeKind::Int4:
      return "integer";
    case TypeKind::Int8:
      return "bigint";
    case TypeKind::Numeric:
      return "numeric";
    case TypeKind::Text:
      return "text";
    case TypeKind::Date:
      return "date";
    case TypeKind::Timestamp:
      return "timestamp";
    case TypeKind::Record:
      return "record";
    case TypeKind::Array:
      return "array";
    case TypeKind::Range:
      return "range";
  }
  return {};
}

std::string to_text(const Type& type) {
  if (type.kind == TypeKind::Numeric && type.precision)
    return fmt::format("numeric({},{})", *type.precision, type.scale);
  if (type.is_padded)
    return type.length_max ? fmt::format("char({})", *type.length_max) : "bpchar";
  if (type.length_max) return fmt::format("varchar({})", *type.length_max);
  if (type.is_varying) return "varchar";
  if (type.kind == TypeKind::Array) return fmt::format("{}[]", name_of(type.element));
  if (type.kind == TypeKind::Range) return std::string(range_name(type.element));
  return std::string(name_of(type.kind));
}

tl::expected<Type, std::string> type_of(const SqlNode& type_name) {
  if (type_name["setof"].truth())
    return tl::unexpected(std::string("SETOF is not supported"));
  auto of = scalar_type(type_name);
  if (!of || !type_name.has("arrayBounds")) return of;
  return array_type(*of, type_name["arrayBounds"].items().size());
}

bool is_integer(TypeKind kind) {
  return kind == TypeKind::Int2 || kind == TypeKind::Int4 || kind == TypeKind::Int8;
}

bool is_number(TypeKind kind) {
  return is_integer(kind) || kind == TypeKind::Numeric;
}

bool is_castable(TypeKind from, TypeKind to, Willing willing) {
  const bool is_assigned = willing != Willing::Implicit;
  const bool is_explicit = willing == Willing::Explicit;
  if (from == to) return true;
  if (from == TypeKind::Record || to == TypeKind::Record) return false;
  if (is_number(from) && is_number(to)) return from < to || is_assigned;
  if (from == TypeKind::Date && to == TypeKind::Timestamp) return true;
  if (from == TypeKind::Timestamp && to == TypeKind::Date) return is_assigned;
  if (to == TypeKind::Text) return is_assigned;
  if (from == TypeKind::Text) return is_explicit;
  if (from == TypeKind::Bool && to == TypeKind::Int4) return is_explicit;
  if (from == TypeKind::Int4 && to == TypeKind::Bool) return is_explicit;
  return false;
}

bool is_castable(const Type& from, const Type& to, Willing willing) {
  if (from.kind == TypeKind::Range && to.kind == TypeKind::Range)
    return from.element == to.element;
  if (from.kind != TypeKind::Array || to.kind != TypeKind::Array)
    return is_castable(from.kind, to.kind, willing);
  return is_castable(from.element, to.element, willing);
}

std::optional<TypeKind> common_kind(TypeKind a, TypeKind b) {
  if (a == b || is_castable(b, a, Willing::Implicit)) return a;
  if (is_castable(a, b, Willing::Implicit)) return b;
  return std::nullopt;
}

bool is_same(const Type& a, const Type& b) {
  return a.kind == b.kind && a.precision == b.precision && a.scale == b.scale &&
         a.length_max == b.length_max && a.is_padded == b.is_padded &&
         a.is_varying == b.is_varying && a.element == b.element;
}

bool is_restricted(const Type& type) {
  return type.precision.has_value() || type.length_max.has_value() || type.is_padded;
}

}  // namespace isomer::program
