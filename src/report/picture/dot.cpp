// SPDX-License-Identifier: MIT
#include "report/picture/picture.h"

#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/picture/palette.h"

namespace isomer::report {
namespace {

// Inside a quoted label of a record, where braces, bars and angles mean something.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\\"{}|<>").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string node(const Box& box, std::string_view id) {
  std::string title = escaped(box.title);
  if (box.number) title = fmt::format("#{}  {}", *box.number, title);
  if (!box.place.empty()) title += fmt::format("  ({})", escaped(box.place));
  std::string lines;
  for (const std::string& line : box.lines)
    lines += escaped(line) + "\\l";
  return fmt::format("    {} [label=\"{{{}|{}}}\"];\n", id, title, lines);
}

std::string edge(const Arrow& arrow, std::string_view from, std::string_view to) {
  const std::string_view colour = shade_of(arrow.kind).light;
  const std::string_view width = arrow.is_marked             ? "5"
                                 : arrow.role == Role::Cycle ? "2.4"
                                                             : "1";
  return fmt::format(
      "    {} -> {} [label=\"{}\", color=\"{}\", fontcolor=\"{}\", penwidth={}{}, "
      "tooltip=\"{}\"];\n",
      from, to, dot_quoted(arrow.label), colour, colour, width,
      arrow.is_inferred ? ", style=dashed" : "", dot_quoted(arrow.tooltip));
}

}  // namespace

std::string dot_quoted(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string dot_cluster(const Scene& scene, std::string_view name, std::string_view title) {
  std::string heading(title);
  if (scene.left_out != 0)
    heading += fmt::format("\n{} not shown", counted(scene.left_out, "other transaction"));
  std::string out = fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", name,
                                dot_quoted(heading));
  const auto id = [&](std::size_t box) {
    return fmt::format("{}_t{}", name, scene.boxes[box].txn.index);
  };
  for (std::size_t i = 0; i < scene.boxes.size(); ++i)
    out += node(scene.boxes[i], id(i));
  for (const Arrow& arrow : scene.arrows)
    out += edge(arrow, id(arrow.from), id(arrow.to));
  return out + "  }\n";
}

std::string dot_document(std::span<const std::string> parts) {
  std::string out =
      "digraph isomer {\n"
      "  graph [fontname=\"Helvetica\", rankdir=TB, nodesep=0.6, ranksep=0.7, "
      "color=\"#9ca3af\"];\n"
      "  node [fontname=\"Courier\", fontsize=12, shape=record, color=\"#374151\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=11];\n";
  for (const std::string& part : parts)
    out += part;
  return out + "}\n";
}

}  // namespace isomer::report
