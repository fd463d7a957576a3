// SPDX-License-Identifier: MIT
// Random expressions over the columns of table t (random_sql.cpp), well typed.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"

namespace isomer::test {

enum class Type : std::uint8_t { Int, Big, Numeric, Text, Bool, Date, Timestamp };

std::string_view name_of(Type type);

class RandomExpressions {
 public:
  explicit RandomExpressions(Random& random) : random_(random) {}

  // Columns are written with this before them: "", "x."
  void use_columns(std::string_view prefix) { prefix_ = prefix; }

  Type any_type() { return static_cast<Type>(random_.below(7)); }

  std::string literal(Type type);   // not NULL
  std::string constant(Type type);  // perhaps NULL
  std::string column(Type type);

  // May fail when it is evaluated: overflow, division by zero, text that is no number.
  // Every operand that can fail depends on a column, and none is always NULL: PostgreSQL
  // evaluates constants when it plans, even where nobody would ask for them.
  std::string expression(Type type, int depth);

  // True, false or null, and never a failure; may ask the table u.
  std::string condition(int depth);

 private:
  template <std::size_t N>
  std::string pick(const std::array<std::string_view, N>& texts) {
    return std::string(texts[random_.below(N)]);
  }

  std::string leaf(Type type);
  std::string second(Type type, int depth);
  std::string choice(Type type, int depth);
  std::string integer(Type type, int depth);
  std::string numeric(int depth);
  std::string text(int depth);
  std::string mixed_text(int depth);
  std::string boolean(int depth);
  std::string moment(Type type);
  std::string comparison(Type type);

  Random& random_;
  std::string prefix_;
};

}  // namespace isomer::test
