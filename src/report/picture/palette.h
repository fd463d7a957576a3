// SPDX-License-Identifier: MIT
// The relations between transactions, as every picture, page and terminal shows them: one
// colour each, and the words that explain it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "check/check.h"

namespace isomer::report {

struct Shade {
  std::string_view name;      // also its class in our style sheet
  std::string_view light;     // on a light ground
  std::string_view dark;      // on a dark one
  std::string_view terminal;  // the parameter of the escape sequence
  std::string_view meaning;   // of an arrow from t1 to t2, after its name
};

// Those of edges come first, in the order of check::EdgeKind.
inline constexpr std::array<Shade, 6> palette = {{
    {"so", "#6b7280", "#9ca3af", "90", "same session"},
    {"wr", "#15803d", "#4ade80", "32", "reads from"},
    {"ww", "#1d4ed8", "#7aa2ff", "34", "overwrites"},
    {"rw", "#c81e1e", "#f87171", "31", "read what the other overwrote"},
    {"vis", "#7e22ce", "#c69bff", "35", "is seen by"},
    {"co", "#0f766e", "#5eead4", "36", "place in the commit order (also ar)"},
}};

inline constexpr const Shade& vis_shade = palette[4];
inline constexpr const Shade& co_shade = palette[5];

constexpr const Shade& shade_of(check::EdgeKind kind) {
  return palette[static_cast<std::size_t>(kind)];
}

}  // namespace isomer::report
