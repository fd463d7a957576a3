// SPDX-License-Identifier: MIT
#include "report/picture/grid.h"

#include <algorithm>
#include <map>
#include <set>

namespace isomer::report {
namespace {

using check::EdgeKind;
using history::History;
using history::SessionId;

constexpr double gutter_minimum = 26;
constexpr double margin = 14;
constexpr double lane_minimum = 34;

void place_columns(const History& history, const Scene& scene, Grid& grid) {
  for (std::size_t i = grid.has_init ? 1 : 0; i < scene.boxes.size(); ++i) {
    const SessionId session = history.session(scene.boxes[i].txn);
    if (grid.sessions.empty() || grid.sessions.back() != session)
      grid.sessions.push_back(session);
    grid.cells[i].column = grid.sessions.size() - 1;
  }
}

// Longest paths by relaxation; false if the constraints have a cycle.
bool relax_rows(const Scene& scene, bool use_reads, Grid& grid) {
  const std::size_t first = grid.has_init ? 1 : 0;
  for (Cell& cell : grid.cells)
    cell.row = 0;
  for (std::size_t round = 0; round <= scene.boxes.size(); ++round) {
    bool changed = false;
    const auto put_below = [&](std::size_t upper, std::size_t lower) {
      if (grid.cells[lower].row > grid.cells[upper].row) return;
      grid.cells[lower].row = grid.cells[upper].row + 1;
      changed = true;
    };
    for (std::size_t i = first; i + 1 < scene.boxes.size(); ++i)
      if (grid.cells[i].column == grid.cells[i + 1].column) put_below(i, i + 1);
    for (const Arrow& arrow : scene.arrows)
      if (use_reads && arrow.kind == EdgeKind::Wr && arrow.from >= first &&
          arrow.to >= first)
        put_below(arrow.from, arrow.to);
    if (!changed) return true;
  }
  return false;
}

void place_rows(const Scene& scene, Grid& grid) {
  if (!relax_rows(scene, true, grid)) relax_rows(scene, false, grid);
  for (std::size_t i = grid.has_init ? 1 : 0; i < scene.boxes.size(); ++i)
    grid.row_count = std::max(grid.row_count, grid.cells[i].row + 1);
}

// No box of the column lies strictly between the rows of the two.
bool are_neighbours(const Grid& grid, std::size_t a, std::size_t b) {
  const auto [low, high] = std::minmax(grid.cells[a].row, grid.cells[b].row);
  for (std::size_t i = grid.has_init ? 1 : 0; i < grid.cells.size(); ++i)
    if (grid.cells[i].column == grid.cells[a].column && grid.cells[i].row > low &&
        grid.cells[i].row < high)
      return false;
  return true;
}

bool is_top(const Grid& grid, std::size_t box) {
  for (std::size_t i = grid.has_init ? 1 : 0; i < grid.cells.size(); ++i)
    if (grid.cells[i].column == grid.cells[box].column &&
        grid.cells[i].row < grid.cells[box].row)
      return false;
  return true;
}

Plan plan_of(const Grid& grid, const Arrow& arrow) {
  if (grid.has_init && (arrow.from == 0 || arrow.to == 0)) {
    const std::size_t other = arrow.from == 0 ? arrow.to : arrow.from;
    if (is_top(grid, other)) return {.way = Way::Top};
    return {.way = Way::Descent, .gutter = grid.cells[other].column};
  }
  const Cell from = grid.cells[arrow.from];
  const Cell to = grid.cells[arrow.to];
  if (from.column == to.column)
    return {.way = are_neighbours(grid, arrow.from, arrow.to) ? Way::Down : Way::Bulge,
            .gutter = from.column + 1};
  const bool rightwards = to.column > from.column;
  const std::size_t gutter = rightwards ? from.column + 1 : from.column;
  const std::size_t distance =
      rightwards ? to.column - from.column : from.column - to.column;
  if (distance == 1) return {.way = Way::Side, .gutter = gutter};
  return {.way = Way::Lane,
          .gutter = gutter,
          .lane = to.row < from.row ? from.row : from.row + 1};
}

// Of the arrows between two neighbours of a column one goes straight, session order if it
// is among them, and all others beside it.
std::set<std::size_t> straight_arrows(const Scene& scene, const Grid& grid) {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> chosen;
  for (std::size_t i = 0; i < scene.arrows.size(); ++i) {
    const Arrow& arrow = scene.arrows[i];
    if (plan_of(grid, arrow).way != Way::Down) continue;
    const auto [place, is_first] = chosen.try_emplace(std::minmax(arrow.from, arrow.to), i);
    if (!is_first && arrow.kind == EdgeKind::So) place->second = i;
  }
  std::set<std::size_t> out;
  for (const auto& [pair, arrow] : chosen)
    out.insert(arrow);
  return out;
}

void plan_arrows(const Scene& scene, Grid& grid) {
  const std::set<std::size_t> straight = straight_arrows(scene, grid);
  std::map<std::pair<Way, std::size_t>, std::size_t> slots;  // used so far
  for (std::size_t i = 0; i < scene.arrows.size(); ++i) {
    Plan plan = plan_of(grid, scene.arrows[i]);
    if (plan.way == Way::Down && !straight.contains(i)) plan.way = Way::Bulge;
    plan.slot = slots[{plan.way, plan.way == Way::Lane ? plan.lane : plan.gutter}]++;
    grid.plans.push_back(plan);
  }
}

void measure(const Scene& scene, Grid& grid) {
  grid.gutter_widths.assign(grid.sessions.size() + 1, gutter_minimum);
  grid.gutter_widths.front() = grid.gutter_widths.back() = margin;
  grid.lane_heights.assign(grid.row_count + 1, lane_minimum);
  grid.lane_heights.back() = margin;
  const bool labelled = scene.arrows.size() <= labelled_arrows_max;
  std::map<std::size_t, std::size_t> tops;  // by box
  for (std::size_t i = 0; i < scene.arrows.size(); ++i) {
    const Arrow& arrow = scene.arrows[i];
    const Plan& plan = grid.plans[i];
    const double label = labelled ? label_width(arrow) : 0;
    double& gutter = grid.gutter_widths[plan.gutter];
    double& lane = grid.lane_heights[plan.lane];
    switch (plan.way) {
      case Way::Side:
        gutter = std::max(gutter, label + 56);
        break;
      case Way::Bulge:
        gutter = std::max(gutter, label / 2 + slot_width * double(plan.slot + 1) +
                                      std::max(label / 2, 10.0));
        break;
      case Way::Descent:
        gutter = std::max(gutter, label + 24 + 2 * slot_width * double(plan.slot));
        break;
      case Way::Lane:
        gutter = std::max(gutter, 44.0);
        lane = std::max(lane, lane_minimum + slot_height * double(plan.slot + 1));
        break;
      case Way::Top:
        ++tops[arrow.from == 0 ? arrow.to : arrow.from];
        break;
      case Way::Down:
        break;
    }
  }
  for (const auto& [box, count] : tops) {
    double& lane = grid.lane_heights[0];
    lane = std::max(lane, lane_minimum + (label_height + 6) * double(count));
  }
}

}  // namespace

double label_width(const Arrow& arrow) {
  return 14 + 6.8 * double(arrow.label.size());
}

Grid grid_of(const History& history, const Scene& scene) {
  Grid grid{.has_init = !scene.boxes.empty() && scene.boxes[0].txn == history::init,
            .sessions = {},
            .row_count = 0,
            .cells = std::vector<Cell>(scene.boxes.size()),
            .plans = {},
            .gutter_widths = {},
            .lane_heights = {}};
  place_columns(history, scene, grid);
  place_rows(scene, grid);
  plan_arrows(scene, grid);
  measure(scene, grid);
  return grid;
}

}  // namespace isomer::report
