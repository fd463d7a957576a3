// SPDX-License-Identifier: MIT
// Scenes in Graphviz's language: one cluster a scene, one record a transaction.
#include <fmt/format.h>

#include "report/check_report.h"
#include "report/palette.h"
#include "report/scene.h"
#include "report/wording.h"

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

// Inside any other quoted string.
std::string quoted(std::string_view text) {
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
  const std::string_view colour = colour_of(arrow.kind);
  const bool loud = arrow.role == Role::Cycle;
  return fmt::format(
      "    {} -> {} [label=\"{}\", color=\"{}\", fontcolor=\"{}\", penwidth={}{}, "
      "tooltip=\"{}\"];\n",
      from, to, quoted(arrow.label), colour, colour, loud ? "2.4" : "1",
      arrow.is_inferred ? ", style=dashed" : "", quoted(arrow.tooltip));
}

std::string cluster(const Scene& scene, std::string_view name, std::string_view file) {
  std::string title = fmt::format("{}: {}", file, scene.title);
  if (scene.left_out != 0)
    title += fmt::format("\n{} not shown", counted(scene.left_out, "other transaction"));
  std::string out =
      fmt::format("  subgraph cluster_{} {{\n    label=\"{}\";\n", name, quoted(title));
  const auto id = [&](std::size_t box) {
    return fmt::format("{}_t{}", name, scene.boxes[box].txn.index);
  };
  for (std::size_t i = 0; i < scene.boxes.size(); ++i)
    out += node(scene.boxes[i], id(i));
  for (const Arrow& arrow : scene.arrows)
    out += edge(arrow, id(arrow.from), id(arrow.to));
  return out + "  }\n";
}

}  // namespace

std::string check_dot_part(const Checked& checked, std::size_t index) {
  const std::string file = printable(checked.file, 200);
  std::string out;
  std::size_t number = 0;
  for (const Scene& scene : scenes(checked))
    out += cluster(scene, fmt::format("h{}_{}", index, number++), file);
  if (!out.empty()) return out;
  return fmt::format("  h{} [shape=note, label=\"{}: nothing to draw ({})\"];\n", index,
                     quoted(file),
                     counted(size_of(checked.history).transactions, "transaction"));
}

std::string check_dot(std::span<const std::string> parts) {
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
