// SPDX-License-Identifier: MIT
// TOML (toml++) as a tree whose parts know their places.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "program/ir.h"

namespace isomer::program {

struct TomlEntry;

struct TomlValue {
  enum class Kind : std::uint8_t { Table, Array, String, Literal };

  Kind kind = Kind::Table;
  Span at;           // bytes of the text
  std::string text;  // what a string says; how a number, truth value or date is written
  Span inside;       // of a string without escapes: its text, in place; else empty
  std::vector<TomlEntry> entries;  // of a table, in the order of the text
  std::vector<TomlValue> items;    // of an array

  [[nodiscard]] const TomlValue* find(std::string_view key) const;
};

// A number without a sign; false if it is none, or too large.
bool whole_number(const TomlValue& value, std::uint32_t& out);

struct TomlEntry {
  std::string key;
  Span at;
  TomlValue value;
};

struct TomlError {
  std::size_t offset = 0;
  std::string message;
};

tl::expected<TomlValue, TomlError> parse_toml(std::string_view text);

}  // namespace isomer::program
