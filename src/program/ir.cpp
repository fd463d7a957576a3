// SPDX-License-Identifier: MIT
#include "program/ir.h"

#include <algorithm>

namespace isomer::program {

std::string_view name(Function function) {
  switch (function) {
    case Function::And:
      return "and";
    case Function::Or:
      return "or";
    case Function::Not:
      return "not";
    case Function::IsNull:
      return "is null";
    case Function::Equal:
      return "=";
    case Function::NotEqual:
      return "<>";
    case Function::Less:
      return "<";
    case Function::LessEqual:
      return "<=";
    case Function::Greater:
      return ">";
    case Function::GreaterEqual:
      return ">=";
    case Function::IsDistinct:
      return "is distinct from";
    case Function::Add:
      return "+";
    case Function::Subtract:
      return "-";
    case Function::Multiply:
      return "*";
    case Function::Divide:
      return "/";
    case Function::Modulo:
      return "%";
    case Function::Negate:
      return "-";
    case Function::Abs:
      return "abs";
    case Function::Round:
      return "round";
    case Function::Ceil:
      return "ceil";
    case Function::Floor:
      return "floor";
    case Function::Power:
      return "power";
    case Function::Coalesce:
      return "coalesce";
    case Function::NullIf:
      return "nullif";
    case Function::Greatest:
      return "greatest";
    case Function::Least:
      return "least";
    case Function::Concat:
      return "concat";
    case Function::Length:
      return "length";
    case Function::Lower:
      return "lower";
    case Function::Upper:
      return "upper";
    case Function::Substring:
      return "substring";
    case Function::Position:
      return "position";
    case Function::Like:
      return "like";
    case Function::StartsWith:
      return "startswith";
    case Function::EndsWith:
      return "endswith";
    case Function::SplitPart:
      return "split_part";
    case Function::Part:
      return "part";
    case Function::Element:
      return "element";
    case Function::ArrayAppend:
      return "array_append";
    case Function::ArrayPrepend:
      return "array_prepend";
    case Function::ArrayConcat:
      return "array_cat";
    case Function::ArrayRemove:
      return "array_remove";
    case Function::ArrayPosition:
      return "array_position";
    case Function::ArrayLength:
      return "array_length";
    case Function::Cardinality:
      return "cardinality";
    case Function::ArrayContains:
      return "@>";
    case Function::ArrayOverlaps:
      return "&&";
    case Function::MakeList:
      return "list";
    case Function::Append:
      return "append";
    case Function::Remove:
      return "remove";
    case Function::Contains:
      return "contains";
    case Function::Size:
      return "size";
    case Function::Get:
      return "get";
    case Function::Set:
      return "set";
  }
  return {};
}

namespace {

// The file that holds a byte of the source.
struct Part {
  std::string_view name;
  std::string_view text;
  std::size_t first = 0;
};

Part part_at(const Program& program, std::size_t offset) {
  const std::string_view source = program.source;
  Part part{.name = program.file, .text = source, .first = 0};
  for (std::size_t i = 0; i < program.files.size(); ++i) {
    const std::size_t first = program.files[i].first;
    if (first > offset) break;
    const std::size_t last =
        i + 1 < program.files.size() ? program.files[i + 1].first : source.size();
    part = {.name = program.files[i].name,
            .text = source.substr(first, last - first),
            .first = first};
  }
  return part;
}

}  // namespace

Lock strongest_lock(const Select& query) {
  Lock out = Lock::None;
  for (const Source& source : query.from)
    out = std::max(out, source.lock);
  return out;
}

Diagnostic diagnostic_in(const Program& program, std::size_t offset, std::string message) {
  const Part part = part_at(program, offset);
  return diagnostic_at(part.name, part.text, offset - part.first, std::move(message));
}

std::pair<std::string, Position> place_of(const Program& program, std::size_t offset) {
  const Part part = part_at(program, offset);
  return {std::string(part.name), position_of(part.text, offset - part.first)};
}

}  // namespace isomer::program
