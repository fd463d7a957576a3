// SPDX-License-Identifier: MIT
// Pictures must be readable: boxes apart, arrows and labels off the boxes, time downwards.
#include "report/picture/layout.h"

#include <array>
#include <sstream>

#include <gtest/gtest.h>

#include "history/builder.h"
#include "report/check/finding.h"
#include "unit/report/fixtures.h"

namespace isomer::report {
namespace {

struct Drawn {
  fixture::Case c;
  Scene scene;
  Layout layout;
};

std::vector<Drawn> drawings() {
  std::vector<Drawn> out;
  for (auto make : {fixture::lost_update, fixture::causality, fixture::long_fork,
                    fixture::read_your_writes, fixture::aborted_read, fixture::serial}) {
    fixture::Case c = make();
    for (const Scene& scene : scenes(c.checked())) {
      Layout layout = layout_of(c.history, scene);
      out.push_back({make(), scene, std::move(layout)});
    }
  }
  return out;
}

double overlap(const Rect& a, const Rect& b) {
  const double width = std::min(a.right(), b.right()) - std::max(a.x, b.x);
  const double height = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

// The points that the path visits, control points included: none may lie inside a box.
std::vector<Point> points_of(std::string path) {
  for (char& c : path)
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) c = ' ';
  std::istringstream numbers(path);
  std::vector<Point> out;
  for (Point p; numbers >> p.x >> p.y;)
    out.push_back(p);
  return out;
}

TEST(Layout, boxes_do_not_overlap_and_fit_the_picture) {
  for (const Drawn& drawn : drawings())
    for (std::size_t i = 0; i < drawn.layout.boxes.size(); ++i) {
      const Rect& box = drawn.layout.boxes[i];
      EXPECT_GE(box.x, 0) << drawn.c.file;
      EXPECT_LE(box.right(), drawn.layout.width) << drawn.c.file;
      EXPECT_LE(box.bottom(), drawn.layout.height) << drawn.c.file;
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_EQ(overlap(box, drawn.layout.boxes[j]), 0) << drawn.c.file;
    }
}

TEST(Layout, labels_cover_neither_boxes_nor_each_other) {
  for (const Drawn& drawn : drawings()) {
    std::vector<Rect> taken = drawn.layout.boxes;
    for (const Route& route : drawn.layout.routes) {
      ASSERT_TRUE(route.label.has_value());
      for (const Rect& rect : taken)
        EXPECT_LT(overlap(*route.label, rect), 20) << drawn.c.file;
      taken.push_back(*route.label);
    }
  }
}

TEST(Layout, arrows_stay_off_the_boxes) {
  for (const Drawn& drawn : drawings())
    for (const Route& route : drawn.layout.routes)
      for (const Point& p : points_of(route.path))
        for (const Rect& box : drawn.layout.boxes)
          EXPECT_FALSE(p.x > box.x + 1 && p.x < box.right() - 1 && p.y > box.y + 1 &&
                       p.y < box.bottom() - 1)
              << drawn.c.file << ": " << route.path;
}

TEST(Layout, readers_stand_below_those_they_read_from) {
  for (const Drawn& drawn : drawings())
    for (const Arrow& arrow : drawn.scene.arrows) {
      if (arrow.kind != check::EdgeKind::Wr && arrow.kind != check::EdgeKind::So) continue;
      EXPECT_GE(drawn.layout.boxes[arrow.to].y, drawn.layout.boxes[arrow.from].bottom())
          << drawn.c.file << ": " << arrow.label;
    }
}

TEST(Layout, survives_a_cycle_of_reads) {
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  const auto x = builder.key("x");
  const auto y = builder.key("y");
  const auto a = builder.begin(builder.session("a"));
  builder.read(a, y, history::Value::integer(1));
  builder.write(a, x, history::Value::integer(1));
  const auto b = builder.begin(builder.session("b"));
  builder.read(b, x, history::Value::integer(1));
  builder.write(b, y, history::Value::integer(1));
  const history::History history = builder.build();
  check::Violated violation;
  violation.transactions = {{1}, {2}};
  violation.cycle = {{{1}, {2}, check::EdgeKind::Wr, x, {}, {}},
                     {{2}, {1}, check::EdgeKind::Wr, y, {}, {}}};
  const Scene scene =
      scene_of(history, {.levels = {check::Level::RC}, .violation = &violation});
  const Layout layout = layout_of(history, scene);
  EXPECT_EQ(layout.boxes[0].y, layout.boxes[1].y);
  EXPECT_EQ(layout.routes.size(), 2U);
}

}  // namespace
}  // namespace isomer::report
