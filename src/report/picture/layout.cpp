// SPDX-License-Identifier: MIT
#include "report/picture/layout.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/picture/grid.h"

namespace isomer::report {
namespace {

using Points = std::vector<Point>;

enum class Side : std::uint8_t { Left, Right, Top, Bottom };

constexpr double port_distance = 24;
constexpr double box_width_minimum = 96;
constexpr double corner = 12;

double text_width(const Box& box) {
  std::size_t longest = box.title.size() + (box.place.empty() ? 0 : box.place.size() + 2);
  if (box.number) longest += 4;
  for (const std::string& line : box.lines)
    longest = std::max(longest, line.size());
  return double(longest) * character_width + 2 * box_padding;
}

// Lays out one scene step by step.
class Draughtsman {
 public:
  Draughtsman(const history::History& history, const Scene& scene)
      : history_(history), scene_(scene), grid_(grid_of(history, scene)) {}

  Layout draw() {
    layout_.boxes.resize(scene_.boxes.size());
    assign_sides();
    place_columns();
    place_rows();
    place_init();
    for (std::size_t i = 0; i < scene_.arrows.size(); ++i)
      lines_.push_back(line_of(i));
    for (std::size_t i = 0; i < scene_.arrows.size(); ++i)
      layout_.routes.push_back({path_of(i), std::nullopt});
    if (scene_.arrows.size() <= labelled_arrows_max) place_labels();
    return std::move(layout_);
  }

 private:
  struct End {
    std::size_t box;
    Side side;
    friend auto operator<=>(const End&, const End&) = default;
  };

  // --- which side of its boxes each arrow uses ---

  void assign_sides() {
    for (std::size_t i = 0; i < scene_.arrows.size(); ++i) {
      const auto [from, to] = sides_of(i);
      ends_.push_back({{scene_.arrows[i].from, from}, {scene_.arrows[i].to, to}});
    }
    for (std::size_t i = 0; i < ends_.size(); ++i)
      for (const End& end : {ends_[i].first, ends_[i].second})
        ports_[end].push_back(i);
  }

  [[nodiscard]] std::pair<Side, Side> sides_of(std::size_t i) const {
    const Arrow& arrow = scene_.arrows[i];
    const Cell from = grid_.cells[arrow.from];
    const Cell to = grid_.cells[arrow.to];
    switch (grid_.plans[i].way) {
      case Way::Down:
        if (from.row < to.row) return {Side::Bottom, Side::Top};
        return {Side::Top, Side::Bottom};
      case Way::Bulge:
        return {Side::Right, Side::Right};
      case Way::Side:
      case Way::Lane:
        if (from.column < to.column) return {Side::Right, Side::Left};
        return {Side::Left, Side::Right};
      case Way::Top:
        if (arrow.from == 0) return {Side::Bottom, Side::Top};
        return {Side::Top, Side::Bottom};
      case Way::Descent:
        if (arrow.from == 0) return {Side::Bottom, Side::Left};
        return {Side::Left, Side::Bottom};
    }
    return {Side::Right, Side::Left};
  }

  [[nodiscard]] std::size_t port_count(std::size_t box, Side side) const {
    const auto found = ports_.find({box, side});
    return found == ports_.end() ? 0 : found->second.size();
  }

  // --- boxes ---

  [[nodiscard]] std::size_t first_box() const { return grid_.has_init ? 1 : 0; }

  [[nodiscard]] double height_of(std::size_t box) const {
    const double text =
        title_height + 10 + line_height * double(scene_.boxes[box].lines.size());
    const std::size_t ports =
        std::max(port_count(box, Side::Left), port_count(box, Side::Right));
    return std::max(text, port_distance * double(ports) + 8);
  }

  void place_columns() {
    double x = grid_.gutter_widths[0];
    for (std::size_t c = 0; c < grid_.sessions.size(); ++c) {
      double width = box_width_minimum;
      const std::string session =
          fmt::format("session {}", printable(history_.session_name(grid_.sessions[c])));
      width = std::max(width, double(session.size()) * character_width);
      for (std::size_t i = first_box(); i < scene_.boxes.size(); ++i)
        if (grid_.cells[i].column == c)
          width = std::max(width, text_width(scene_.boxes[i]));
      layout_.columns.push_back({session, {x, 0, width, 0}});
      x += width + grid_.gutter_widths[c + 1];
    }
    layout_.width = x;
  }

  // The initial transaction is a bar across all columns, under the names of the sessions.
  void place_init() {
    if (!grid_.has_init) return;
    const double left = std::max(2.0, grid_.gutter_widths[0] / 2 - 12);
    const double right = layout_.width - grid_.gutter_widths.back() / 2 + 3;
    layout_.boxes[0] = {left, header_height,
                        std::max(right - left, text_width(scene_.boxes[0])), init_height()};
    layout_.width = std::max(layout_.width, layout_.boxes[0].right() + 14);
  }

  [[nodiscard]] double init_height() const {
    return title_height + 10 + line_height * double(scene_.boxes[0].lines.size());
  }

  void place_rows() {
    double y = header_height + (grid_.has_init ? init_height() : 0);
    for (std::size_t row = 0; row < grid_.row_count; ++row) {
      // Without arrows from above, the first row needs no lane.
      const bool free = row == 0 && !grid_.has_init && !is_lane_used(0);
      lane_y_.push_back(y);
      if (!free) y += grid_.lane_heights[row];
      double height = 0;
      for (std::size_t i = first_box(); i < scene_.boxes.size(); ++i)
        if (grid_.cells[i].row == row) height = std::max(height, height_of(i));
      for (std::size_t i = first_box(); i < scene_.boxes.size(); ++i)
        if (grid_.cells[i].row == row) {
          const Rect& column = layout_.columns[grid_.cells[i].column].area;
          layout_.boxes[i] = {column.x, y, column.width, height_of(i)};
        }
      y += height;
    }
    lane_y_.push_back(y);
    layout_.height = y + grid_.lane_heights.back();
    for (Column& column : layout_.columns) {
      column.area.y = 0;
      column.area.height = y + 8;
    }
  }

  [[nodiscard]] bool is_lane_used(std::size_t lane) const {
    return std::any_of(grid_.plans.begin(), grid_.plans.end(), [&](const Plan& plan) {
      return plan.way == Way::Lane && plan.lane == lane;
    });
  }

  // --- arrows ---

  // The ports of one side are spread evenly, in the order of what is at the other end.
  [[nodiscard]] Point port(std::size_t arrow, const End& end) const {
    const Rect& rect = layout_.boxes[end.box];
    std::vector<std::size_t> order = ports_.at(end);
    const bool along_x = end.side == Side::Top || end.side == Side::Bottom;
    const auto place = [&](std::size_t i) {
      const std::size_t other =
          ends_[i].first == end ? ends_[i].second.box : ends_[i].first.box;
      const Point centre = layout_.boxes[other].centre();
      return along_x ? centre.x : centre.y;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    const auto index = std::find(order.begin(), order.end(), arrow) - order.begin();
    const double share = double(index + 1) / double(order.size() + 1);
    switch (end.side) {
      case Side::Left:
        return {rect.x, rect.y + rect.height * share};
      case Side::Right:
        return {rect.right(), rect.y + rect.height * share};
      case Side::Top:
        return {rect.x + rect.width * share, rect.y};
      case Side::Bottom:
        return {rect.x + rect.width * share, rect.bottom()};
    }
    return {};
  }

  [[nodiscard]] double gutter_x(std::size_t gutter) const {
    return gutter == 0
               ? grid_.gutter_widths[0] / 2
               : layout_.columns[gutter - 1].area.right() + grid_.gutter_widths[gutter] / 2;
  }

  // The corners of the arrow's way, from its first port to its last.
  [[nodiscard]] Points line_of(std::size_t i) const {
    const Plan& plan = grid_.plans[i];
    const auto& [from_end, to_end] = ends_[i];
    if (plan.way == Way::Top || plan.way == Way::Descent) return line_of_init(i);
    const Point from = port(i, from_end);
    const Point to = port(i, to_end);
    if (plan.way == Way::Bulge) {
      const double x = from.x + slot_width * double(plan.slot + 1) + 6;
      return {from, {x, from.y}, {x, to.y}, to};
    }
    if (plan.way == Way::Lane) {
      const double lane =
          lane_y_[plan.lane] + lane_margin + slot_height * (double(plan.slot) + 0.5);
      const double offset = 9 * (double(plan.slot) - 1);
      const bool rightwards = from.x < to.x;
      const std::size_t last_gutter = grid_.cells[to_end.box].column + (rightwards ? 0 : 1);
      const double x1 = gutter_x(plan.gutter) + offset;
      const double x2 = gutter_x(last_gutter) + offset;
      return {from, {x1, from.y}, {x1, lane}, {x2, lane}, {x2, to.y}, to};
    }
    return {from, to};
  }

  // From the initial transaction straight down, or down a gutter and into the side.
  [[nodiscard]] Points line_of_init(std::size_t i) const {
    const auto& [from_end, to_end] = ends_[i];
    const bool outgoing = from_end.box == 0;
    const Point port_of_other = port(i, outgoing ? to_end : from_end);
    const double bottom = layout_.boxes[0].bottom();
    Points points;
    if (grid_.plans[i].way == Way::Top) {
      points = {{port_of_other.x, bottom}, port_of_other};
    } else {
      const double x =
          gutter_x(grid_.plans[i].gutter) + slot_width * double(grid_.plans[i].slot);
      points = {{x, bottom}, {x, port_of_other.y}, port_of_other};
    }
    if (!outgoing) std::reverse(points.begin(), points.end());
    return points;
  }

  [[nodiscard]] std::string path_of(std::size_t i) const {
    const Points& points = lines_[i];
    std::string out = fmt::format("M{:.1f} {:.1f}", points[0].x, points[0].y);
    if (grid_.plans[i].way == Way::Side) {
      const auto [c1, c2] = controls(points);
      return out + fmt::format(" C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", c1.x, c1.y,
                               c2.x, c2.y, points[1].x, points[1].y);
    }
    for (std::size_t p = 1; p + 1 < points.size(); ++p) {
      const Point before = towards(points[p], points[p - 1]);
      const Point after = towards(points[p], points[p + 1]);
      out += fmt::format(" L{:.1f} {:.1f} Q{:.1f} {:.1f} {:.1f} {:.1f}", before.x, before.y,
                         points[p].x, points[p].y, after.x, after.y);
    }
    return out + fmt::format(" L{:.1f} {:.1f}", points.back().x, points.back().y);
  }

  static std::pair<Point, Point> controls(const Points& points) {
    const double middle = (points[0].x + points[1].x) / 2;
    return {{middle, points[0].y}, {middle, points[1].y}};
  }

  // The point before a corner where its curve begins.
  static Point towards(Point from, Point to) {
    const double distance = std::hypot(to.x - from.x, to.y - from.y);
    if (distance == 0) return from;
    const double step = std::min(corner, distance / 2) / distance;
    return {from.x + (to.x - from.x) * step, from.y + (to.y - from.y) * step};
  }

  // --- labels ---

  [[nodiscard]] Point point_at(std::size_t i, double t) const {
    const Points& p = lines_[i];
    if (grid_.plans[i].way == Way::Side) {
      const auto [c1, c2] = controls(p);
      const double s = 1 - t;
      const auto mix = [&](double a, double b, double c, double d) {
        return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
      };
      return {mix(p[0].x, c1.x, c2.x, p[1].x), mix(p[0].y, c1.y, c2.y, p[1].y)};
    }
    // The longest leg of a line of several.
    std::size_t best = 0;
    const auto length = [&](std::size_t leg) {
      return std::hypot(p[leg + 1].x - p[leg].x, p[leg + 1].y - p[leg].y);
    };
    for (std::size_t leg = 1; leg + 1 < p.size(); ++leg)
      if (length(leg) > length(best)) best = leg;
    return {p[best].x + (p[best + 1].x - p[best].x) * t,
            p[best].y + (p[best + 1].y - p[best].y) * t};
  }

  static double overlap(const Rect& a, const Rect& b) {
    const double width = std::min(a.right(), b.right()) - std::max(a.x, b.x);
    const double height = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
    return width > 0 && height > 0 ? width * height : 0;
  }

  void place_labels() {
    std::vector<Rect> taken = layout_.boxes;
    for (std::size_t i = 0; i < scene_.arrows.size(); ++i) {
      Rect best;
      double best_cost = -1;
      for (const double t : {0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82}) {
        const Point middle = point_at(i, t);
        const double width = label_width(scene_.arrows[i]);
        const Rect candidate{
            std::clamp(middle.x - width / 2, 1.0, std::max(1.0, layout_.width - width - 1)),
            middle.y - label_height / 2, width, label_height};
        double cost = 0;
        for (const Rect& rect : taken)
          cost += overlap(candidate, rect);
        if (best_cost >= 0 && cost >= best_cost) continue;
        best = candidate;
        best_cost = cost;
      }
      layout_.routes[i].label = best;
      taken.push_back(best);
    }
  }

  static constexpr double lane_margin = 14;

  const history::History& history_;
  const Scene& scene_;
  Grid grid_;
  Layout layout_;
  std::vector<std::pair<End, End>> ends_;          // by arrow
  std::map<End, std::vector<std::size_t>> ports_;  // the arrows at each side
  std::vector<double> lane_y_;                     // by lane
  std::vector<Points> lines_;                      // by arrow
};

}  // namespace

Layout layout_of(const history::History& history, const Scene& scene) {
  return Draughtsman(history, scene).draw();
}

}  // namespace isomer::report
