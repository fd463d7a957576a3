// SPDX-License-Identifier: MIT
// All levels at once: a node for each class of equivalent levels, stronger ones higher, and
// on each line between neighbours a history that tells them apart.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/check/finding.h"
#include "report/check/wording.h"
#include "report/compare/report.h"
#include "report/ink.h"
#include "report/page/page.h"
#include "report/picture/picture.h"
#include "report/synth/separation.h"

namespace isomer::report {
namespace {

using synth::Lattice;

// Weaker classes before stronger ones.
std::vector<std::uint32_t> weak_first(const Lattice& lattice) {
  std::vector<std::size_t> height(lattice.classes.size(), 0);
  for (std::size_t round = 0; round < lattice.classes.size(); ++round)
    for (const Lattice::Edge& edge : lattice.edges)
      height[edge.strong] = std::max(height[edge.strong], height[edge.weak] + 1);
  std::vector<std::uint32_t> order(lattice.classes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::ranges::stable_sort(order, {}, [&](std::uint32_t c) { return height[c]; });
  return order;
}

// A class is called by its first level.
const std::string& name_of(const Lattice& lattice, std::uint32_t c) {
  return lattice.classes[c].front();
}

std::vector<std::string> names_of(const auto& levels) {
  std::vector<std::string> out;
  for (const auto& level : levels)
    out.push_back(level.level);
  return out;
}

Separation separation(const Lattice& lattice, std::size_t edge) {
  const check::Certified<synth::Found>& found =
      lattice.histories[lattice.edges[edge].witness];
  return {.found = found,
          .allow = names_of(found->allowed),
          .forbid = names_of(found->forbidden)};
}

// "lost update"; empty if nobody has a name for it.
std::string anomaly(const Lattice& lattice, std::size_t edge) {
  const std::vector<Finding> found = shown_findings(separation(lattice, edge));
  return found.empty() ? "" : found[0].violation->anomaly;
}

std::string headline(const Lattice& lattice) {
  std::size_t levels = 0;
  for (const auto& members : lattice.classes)
    levels += members.size();
  return fmt::format(
      "{} in {} of equivalent ones, told apart by histories of {}, all reads "
      "of which are of committed final writes",
      counted(levels, "level"), counted(lattice.classes.size(), "set"),
      scope_text(lattice.scope));
}

std::string covered(const Lattice& lattice, std::uint32_t c) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < lattice.edges.size(); ++i) {
    const Lattice::Edge& edge = lattice.edges[i];
    if (edge.strong != c) continue;
    const std::string why = anomaly(lattice, i);
    out.push_back(name_of(lattice, edge.weak) +
                  (why.empty() ? "" : fmt::format(" ({})", why)));
  }
  return names_text(out);
}

std::string undecided(const Lattice& lattice) {
  return lattice.is_complete ? ""
                             : fmt::format("undecided, and left out: {}\n",
                                           fmt::join(lattice.undecided, ", "));
}

// Graphviz's picture with a name for who cannot see it; the sections below say the rest.
std::string labelled(const std::string& svg) {
  return fmt::format(
      "<svg role=\"group\" aria-label=\"Levels from weak to strong; each line leads to one "
      "of the histories below\"{}",
      svg.substr(std::string_view("<svg").size()));
}

std::string edge_section(const Lattice& lattice, std::size_t i) {
  const Lattice::Edge& edge = lattice.edges[i];
  return fmt::format(
      "<section id=\"e{0}\">\n<h1>{0}. {1} is stronger than {2}</h1>\n"
      "<p>{2} allows this history, and {1} forbids it. <a href=\"#top\">Back</a></p>\n"
      "{3}</section>\n",
      i + 1, escape_html(name_of(lattice, edge.strong)),
      escape_html(name_of(lattice, edge.weak)),
      separation_html(separation(lattice, i), fmt::format("p{}", i)));
}

}  // namespace

std::string lattice_text(const Lattice& lattice, const CompareTextOptions& options) {
  const Ink ink(options.colour);
  std::string out = headline(lattice) + "\n\n";
  for (const std::uint32_t c : weak_first(lattice)) {
    out += fmt::format("  {}\n",
                       ink.bold(fmt::format("{}", fmt::join(lattice.classes[c], " = "))));
    const std::string below = covered(lattice, c);
    if (!below.empty()) out += fmt::format("      is stronger than {}\n", below);
  }
  out += undecided(lattice);
  if (!options.command.empty())
    out += fmt::format("\nSee it:  {} --html levels.html\n", options.command);
  return out;
}

std::string lattice_json(const Lattice& lattice) {
  Json edges = Json::array();
  for (std::size_t i = 0; i < lattice.edges.size(); ++i) {
    const Lattice::Edge& edge = lattice.edges[i];
    Json item{
        {"strong", edge.strong}, {"weak", edge.weak}, {"anomaly", anomaly(lattice, i)}};
    item.update(separation_json(separation(lattice, i)));
    edges.push_back(std::move(item));
  }
  const Json out{
      {"classes", lattice.classes},         {"edges", std::move(edges)},
      {"scope", scope_json(lattice.scope)}, {"complete", lattice.is_complete},
      {"undecided", lattice.undecided},     {"candidates", lattice.stats.candidates},
      {"seconds", lattice.stats.seconds}};
  return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string lattice_dot(const Lattice& lattice) {
  std::string out =
      "digraph levels {\n"
      "  graph [rankdir=BT, nodesep=0.35, ranksep=0.55, bgcolor=\"transparent\"];\n"
      "  node [fontname=\"Helvetica\", fontsize=13, shape=box, style=\"rounded,filled\", "
      "fillcolor=\"#f1f4f8\", color=\"#9aa4b2\", fontcolor=\"#1c2430\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=10, color=\"#667085\", "
      "fontcolor=\"#c81e1e\", arrowsize=0.7];\n";
  for (std::uint32_t c = 0; c < lattice.classes.size(); ++c)
    out += fmt::format("  c{} [label=\"{}\"];\n", c,
                       dot_quoted(fmt::format("{}", fmt::join(lattice.classes[c], "\n"))));
  for (std::size_t i = 0; i < lattice.edges.size(); ++i) {
    const std::string why = anomaly(lattice, i);
    out += fmt::format("  c{} -> c{} [label=\" {}{} \", URL=\"#e{}\", tooltip=\"{}\"];\n",
                       lattice.edges[i].weak, lattice.edges[i].strong, i + 1,
                       why.empty() ? "" : fmt::format(" {}", dot_quoted(why)), i + 1,
                       dot_quoted(fmt::format("a history that {} allows and {} forbids",
                                              name_of(lattice, lattice.edges[i].weak),
                                              name_of(lattice, lattice.edges[i].strong))));
  }
  return out + "}\n";
}

Expected<std::string> lattice_html(const Lattice& lattice) {
  const Expected<std::string> svg = svg_of_dot(lattice_dot(lattice));
  if (!svg) return svg;
  std::vector<std::string> sections{fmt::format(
      "<section id=\"top\">\n<h1>How the levels relate</h1>\n{}"
      "<p>Stronger levels stand higher; levels in one box allow the same histories. The "
      "number on a line leads to a history that tells its ends apart, and the red words "
      "say what happens in it.</p>\n{}<figure "
      "class=\"lattice\">\n{}</figure>\n</section>\n",
      lead(lattice.is_complete ? Tone::Good : Tone::Unknown, headline(lattice)),
      lattice.is_complete
          ? ""
          : fmt::format("<p class=\"aside\">{}</p>\n", escape_html(undecided(lattice))),
      labelled(svg->substr(svg->find("<svg"))))};
  for (std::size_t i = 0; i < lattice.edges.size(); ++i)
    sections.push_back(edge_section(lattice, i));
  return page("isomer compare --all", "how the levels relate", sections);
}

}  // namespace isomer::report
