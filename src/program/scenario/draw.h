// SPDX-License-Identifier: MIT
// How a workload draws the arguments of its calls: "int(1, 6)", "choice('ann', 'bob')".
//
// A draw gives the text of an SQL literal.  What it needs beside the random generator is
// what was drawn before it: the call's earlier arguments, and how many calls there were.
// examples/apps/README.md has the table of all draws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "base/random.h"

namespace isomer::program {

struct Draw {
  enum class Kind : std::uint8_t {
    Literal,
    Int,
    Numeric,
    Choice,
    Percent,
    Other,
    Argument,
    IfEqual,
    Fresh,
    NonUniform,
    LastName,
    Commas,
    Name,
    Text,
    Timestamp,
  };

  Kind kind = Kind::Literal;
  bool is_integer = false;  // whatever it draws is an integer
  std::string literal{};    // Literal: as SQL
  std::vector<Draw> operands{};
};

struct DrawError {
  std::size_t offset = 0;  // in the text of the draw
  std::string message;
};

// `earlier` are the draws of the call's arguments before this one.
tl::expected<Draw, DrawError> parse_draw(std::string_view text,
                                         std::span<const Draw> earlier);

struct DrawContext {
  Random& random;
  std::span<const std::string> arguments;  // of this call, as far as they are drawn
  std::uint64_t calls_of_type = 0;         // before this one
  std::uint64_t calls = 0;                 // before this one, of any type
};

// The SQL literal: 7, -1.50, 'ann', NULL.
std::string drawn(const Draw& draw, const DrawContext& context);

}  // namespace isomer::program
