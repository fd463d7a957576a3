// SPDX-License-Identifier: MIT
// Where the boxes and arrows of a scene go.
//
// Sessions are columns and time goes down.  A transaction stands below those before it in
// its session and below those it read from, where that is possible.  Arrows run in the
// gutters between columns and in the lanes between rows, so they never cross a box; each
// has its own port on the side of a box.  Labels are put on their arrow where they cover
// least.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/picture/scene.h"

namespace isomer::report {

struct Point {
  double x = 0;
  double y = 0;
};

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  [[nodiscard]] double right() const { return x + width; }

  [[nodiscard]] double bottom() const { return y + height; }

  [[nodiscard]] Point centre() const { return {x + width / 2, y + height / 2}; }
};

struct Column {
  std::string session;
  Rect area;
};

struct Route {
  std::string path;           // the d attribute of an SVG path
  std::optional<Rect> label;  // absent: too crowded for labels
};

struct Layout {
  double width = 0;
  double height = 0;
  std::vector<Column> columns;
  std::vector<Rect> boxes;    // by box of the scene
  std::vector<Route> routes;  // by arrow of the scene
};

inline constexpr double character_width = 7.8;  // of the 13-pixel monospaced font
inline constexpr double line_height = 18;
inline constexpr double title_height = 26;
inline constexpr double box_padding = 12;
inline constexpr double header_height = 30;  // of a column

Layout layout_of(const history::History& history, const Scene& scene);

}  // namespace isomer::report
