// SPDX-License-Identifier: MIT
// Exact decimal numbers, PostgreSQL's numeric up to 38 digits.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace isomer::program {

// digits / 10^scale.  1.50 and 1.5 are equal, but print differently.
struct Decimal {
  __extension__ using Digits = __int128;

  Digits digits = 0;
  std::uint16_t scale = 0;

  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b);
};

}  // namespace isomer::program
