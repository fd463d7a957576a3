// SPDX-License-Identifier: MIT
#include "report/picture/picture.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/wording.h"
#include "report/picture/layout.h"

namespace isomer::report {
namespace {

using check::EdgeKind;

constexpr EdgeKind edge_kinds[] = {EdgeKind::So, EdgeKind::Wr, EdgeKind::Ww, EdgeKind::Rw};

// On a narrow page a picture shrinks as far as this, where its text can still be read, and
// scrolls from there on.
constexpr double smallest_scale = 0.6;

// The picture in words, for who cannot see it: its boxes, then its arrows.
std::string description(const Scene& scene) {
  std::vector<std::string> sentences;
  for (const Box& box : scene.boxes)
    sentences.push_back(fmt::format("{}: {}", box.title, fmt::join(box.lines, ", ")));
  for (const Arrow& arrow : scene.arrows)
    sentences.push_back(fmt::format("{} --{}--> {}", scene.boxes[arrow.from].title,
                                    arrow.label, scene.boxes[arrow.to].title));
  return fmt::format("{}", fmt::join(sentences, "\n"));
}

// Arrow heads take the colour of their kind from the page's style sheet.
std::string heads(std::string_view id) {
  std::string out = "<defs>";
  for (const EdgeKind kind : edge_kinds)
    out += fmt::format(
        "<marker id=\"{}-{}\" class=\"head {}\" viewBox=\"0 0 10 10\" refX=\"9\" "
        "refY=\"5\" "
        "markerWidth=\"10\" markerHeight=\"10\" markerUnits=\"userSpaceOnUse\" "
        "orient=\"auto\"><path d=\"M0 0.5 L10 5 L0 9.5 z\"/></marker>",
        id, check::name(kind), check::name(kind));
  return out + "</defs>\n";
}

std::string column(const Column& column) {
  const Rect& area = column.area;
  return fmt::format(
      "<rect class=\"column\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "rx=\"10\"/><text class=\"session\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
      area.x - 8, area.y, area.width + 16, area.height, area.centre().x, area.y + 20,
      escape_html(column.session));
}

std::string classes(const Arrow& arrow) {
  std::string out(check::name(arrow.kind));
  if (arrow.role == Role::Cycle) out += " cycle";
  if (arrow.role == Role::Context) out += " context";
  if (arrow.is_inferred) out += " inferred";
  if (arrow.is_marked) out += " marked";
  return out;
}

std::string line(const Arrow& arrow, const Route& route, std::string_view id) {
  return fmt::format(
      "<g id=\"{}-{}\" class=\"arrow {}\"><title>{}</title><path class=\"reach\" d=\"{}\"/>"
      "<path class=\"line\" d=\"{}\" marker-end=\"url(#{}-{})\"/></g>\n",
      id, arrow.anchor, classes(arrow), escape_html(arrow.tooltip), route.path, route.path,
      id, check::name(arrow.kind));
}

std::string label_of(const Arrow& arrow, const Route& route) {
  if (!route.label) return {};
  const Rect& rect = *route.label;
  return fmt::format(
      "<g class=\"label {}\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" "
      "width=\"{:.1f}\" height=\"{:.1f}\" rx=\"9\"/><text x=\"{:.1f}\" "
      "y=\"{:.1f}\">{}</text></g>\n",
      classes(arrow), escape_html(arrow.tooltip), rect.x, rect.y, rect.width, rect.height,
      rect.centre().x, rect.centre().y + 4, escape_html(arrow.label));
}

std::string box(const history::History& history, const Box& box, const Rect& rect) {
  const bool committed = history.status(box.txn) == history::Status::Committed;
  std::string out = fmt::format(
      "<g class=\"box{}{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
      "height=\"{:.1f}\" rx=\"7\"/><text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\">{}"
      "<tspan class=\"place\" dx=\"8\">{}</tspan></text>",
      committed ? "" : " undone", box.txn == history::init ? " init" : "", rect.x, rect.y,
      rect.width, rect.height, rect.x + box_padding, rect.y + 18, escape_html(box.title),
      escape_html(box.place));
  if (box.number)
    out += fmt::format("<text class=\"number\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                       rect.right() - box_padding, rect.y + 18, *box.number);
  out += fmt::format("<path class=\"rule\" d=\"M{:.1f} {:.1f} H{:.1f}\"/>", rect.x,
                     rect.y + title_height, rect.right());
  double y = rect.y + title_height + line_height;
  for (const std::string& text : box.lines) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", rect.x + box_padding, y,
                       escape_html(text));
    y += line_height;
  }
  return out + "</g>\n";
}

}  // namespace

std::string picture(const history::History& history, const Scene& scene,
                    std::string_view id) {
  const Layout layout = layout_of(history, scene);
  std::string out = fmt::format(
      "<svg class=\"picture\" role=\"img\" aria-label=\"{}\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "width=\"{:.0f}\" height=\"{:.0f}\" style=\"min-width: "
      "{:.0f}px\">\n<desc>{}</desc>\n",
      escape_html(scene.title), layout.width, layout.height, layout.width, layout.height,
      smallest_scale * layout.width, escape_html(description(scene)));
  out += heads(id);
  for (const Column& c : layout.columns)
    out += column(c);
  for (std::size_t i = 0; i < scene.boxes.size(); ++i)
    out += box(history, scene.boxes[i], layout.boxes[i]);
  // What matters most is drawn last, on top.
  for (const Role role : {Role::Context, Role::Support, Role::Cycle})
    for (std::size_t i = 0; i < scene.arrows.size(); ++i)
      if (scene.arrows[i].role == role) out += line(scene.arrows[i], layout.routes[i], id);
  for (std::size_t i = 0; i < scene.arrows.size(); ++i)
    out += label_of(scene.arrows[i], layout.routes[i]);
  return out + "</svg>\n";
}

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace isomer::report
