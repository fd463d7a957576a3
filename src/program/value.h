// SPDX-License-Identifier: MIT
// The values of programs: SQL's, and the lists of litmus programs.  A row of a table is a
// list of its columns.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "program/decimal.h"

namespace isomer::program {

struct Null {
  friend auto operator<=>(Null, Null) = default;
};

// Days since 2000-01-01.
struct Date {
  std::int32_t days = 0;
  friend auto operator<=>(Date, Date) = default;
};

// Microseconds since 2000-01-01 00:00, without a time zone.
struct Timestamp {
  std::int64_t microseconds = 0;
  friend auto operator<=>(Timestamp, Timestamp) = default;
};

class Value;

// Immutable and shared: copying a value is cheap.
using List = std::shared_ptr<const std::vector<Value>>;

// A missing row, like a key that nobody wrote, is Null.  In litmus programs true is the
// integer 1 and false 0; SQL has its own bool.
class Value {
 public:
  using Data =
      std::variant<Null, bool, std::int64_t, Decimal, std::string, Date, Timestamp, List>;

  Value() = default;

  explicit Value(Data data) : data_(std::move(data)) {}

  static Value integer(std::int64_t number) { return Value(Data(number)); }

  static Value boolean(bool truth) { return Value(Data(truth)); }

  static Value text(std::string text) { return Value(Data(std::move(text))); }

  static Value list(std::vector<Value> items);

  [[nodiscard]] const Data& data() const { return data_; }

  [[nodiscard]] bool is_null() const { return std::holds_alternative<Null>(data_); }

  template <class T>
  [[nodiscard]] const T* get_if() const {
    return std::get_if<T>(&data_);
  }

  // The items of a list or row; none if it is something else.
  [[nodiscard]] std::span<const Value> items() const;

  // Structural, with numbers by value; a total order for containers and ORDER BY ties.
  friend bool operator==(const Value& a, const Value& b);
  friend std::strong_ordering operator<=>(const Value& a, const Value& b);

 private:
  Data data_;
};

// As psql shows it: 42, 12.50, t, ann, 2024-01-31; NULL for null; [1, a] for lists and
// (1,ann,60) for rows is the caller's business.
std::string to_text(const Value& value);

// A list as PostgreSQL writes an array: {1,NULL,"a b"}.
std::string array_text(const Value& array);

// NULL in such a text, and what separates its words.
bool is_null_word(std::string_view word);

constexpr bool is_array_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace isomer::program
