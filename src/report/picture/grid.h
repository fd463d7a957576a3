// SPDX-License-Identifier: MIT
// The first half of a layout: which column and row each box has, and how wide the gutters
// and lanes between them are.  Gutter i is left of column i, lane i above row i; one more
// of each closes the grid.
#pragma once

#include <cstddef>
#include <vector>

#include "report/picture/layout.h"

namespace isomer::report {

struct Cell {
  std::size_t column = 0;
  std::size_t row = 0;
};

// How an arrow runs.
enum class Way : std::uint8_t {
  Down,    // straight between neighbours of one column
  Bulge,   // through the gutter right of its column
  Side,    // through the gutter between two neighbouring columns
  Lane,    // through a lane, across other columns
  Top,     // straight between the initial transaction and the top box of a column
  Descent  // between the initial transaction and a lower box, through a gutter
};

struct Plan {
  Way way = Way::Side;
  std::size_t gutter = 0;  // Bulge, Side, Descent; Lane: next to the first box
  std::size_t lane = 0;    // Lane
  std::size_t slot = 0;    // which track of its gutter (Bulge, Descent) or lane
};

struct Grid {
  bool has_init = false;                     // then it is box 0, and has no cell
  std::vector<history::SessionId> sessions;  // by column
  std::size_t row_count = 0;
  std::vector<Cell> cells;  // by box
  std::vector<Plan> plans;  // by arrow
  std::vector<double> gutter_widths;
  std::vector<double> lane_heights;
};

Grid grid_of(const history::History& history, const Scene& scene);

double label_width(const Arrow& arrow);

inline constexpr double label_height = 18;
inline constexpr double slot_height = 24;  // of a lane
inline constexpr double slot_width = 18;   // of a gutter

// Beyond this many arrows, labels are shown on pointing only.
inline constexpr std::size_t labelled_arrows_max = 24;

}  // namespace isomer::report
