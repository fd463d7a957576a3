// SPDX-License-Identifier: MIT
#include "report/page/page.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/check/wording.h"
#include "report/picture/palette.h"
#include "report/picture/picture.h"
#include "version.h"

namespace isomer::report {
namespace {

using check::Edge;
using history::History;

// More boxes than this make no picture that anybody can read.
constexpr std::size_t boxes_max = 120;

constexpr std::size_t reasons_max = 400;

// Pointing at a reason lights up its arrow; of nested reasons only the innermost one.
constexpr std::string_view script = R"js(
for (const item of document.querySelectorAll("li[data-arrow]")) {
  const arrow = document.getElementById(item.dataset.arrow);
  if (arrow === null) continue;
  item.addEventListener("mouseover", (event) => {
    event.stopPropagation();
    arrow.classList.add("lit");
  });
  item.addEventListener("mouseout", () => arrow.classList.remove("lit"));
}
)js";

std::string entry(std::string_view mark, const Shade& shade) {
  return fmt::format("<span class=\"key\">{}{}: {}</span>", mark, shade.name,
                     shade.meaning);
}

// What occurs in the picture, and nothing else.
std::string legend(const Scene& scene) {
  std::string out;
  for (const check::EdgeKind kind :
       {check::EdgeKind::So, check::EdgeKind::Wr, check::EdgeKind::Ww, check::EdgeKind::Rw})
    if (std::ranges::find(scene.arrows, kind, &Arrow::kind) != scene.arrows.end())
      out += entry(fmt::format("<i class=\"{}\"></i>", check::name(kind)), shade_of(kind));
  if (std::ranges::any_of(scene.arrows, &Arrow::is_inferred))
    out += "<span class=\"key\"><i class=\"inferred\"></i>inferred</span>";
  if (std::ranges::any_of(scene.boxes,
                          [](const Box& box) { return box.number.has_value(); }))
    out += entry("<b class=\"co\">1</b>", co_shade);
  if (scene.left_out != 0)
    out += fmt::format("<br>{} not shown.", counted(scene.left_out, "other transaction"));
  return fmt::format("<figcaption>{}</figcaption>", out);
}

class Reasons {
 public:
  Reasons(const History& history, std::string_view id) : history_(history), id_(id) {}

  std::string list(const std::vector<Edge>& edges) {
    std::string out;
    for (const Edge& edge : edges) {
      if (room_ == 0) return out + "<li>... (the whole is in --json)</li>\n";
      --room_;
      out += fmt::format("<li data-arrow=\"{}-{}\">{}", id_, anchor(edge), line(edge));
      if (!edge.because.empty()) out += fmt::format("\n<ol>{}</ol>", list(edge.because));
      out += "</li>\n";
    }
    return out;
  }

 private:
  [[nodiscard]] std::string line(const Edge& edge) const {
    return fmt::format("<span class=\"mono\">{} <b class=\"{}\">{}</b> {}</span> &ensp;{}",
                       escape_html(txn_text(history_, edge.from)), check::name(edge.kind),
                       escape_html(shaft(history_, edge)),
                       escape_html(txn_text(history_, edge.to)),
                       escape_html(reason(history_, edge)));
  }

  const History& history_;
  std::string_view id_;
  std::size_t room_ = reasons_max;
};

}  // namespace

std::string figure(const History& history, const Scene& scene, std::string_view id) {
  if (scene.boxes.size() > boxes_max)
    return fmt::format("<p class=\"aside\">{} are too many to draw.</p>\n",
                       counted(scene.boxes.size(), "transaction"));
  return fmt::format("<figure>\n{}{}</figure>\n", picture(history, scene, id),
                     legend(scene));
}

std::string reasons_list(const History& history, const std::vector<Edge>& edges,
                         std::string_view id) {
  return Reasons(history, id).list(edges);
}

std::string lead(Tone tone, std::string_view text) {
  constexpr std::string_view classes[] = {"ok", "no", "unknown"};
  return fmt::format("<p class=\"lead {}\">{}</p>\n",
                     classes[static_cast<std::size_t>(tone)], escape_html(text));
}

std::string page(std::string_view title, std::string_view purpose,
                 std::span<const std::string> sections) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<header><b>{}</b> &ensp;{}</header>\n<main>\n",
      escape_html(title), style_sheet(), escape_html(title), escape_html(purpose));
  for (const std::string& section : sections)
    out += section;
  return out + fmt::format(
                   "</main>\n<footer>Made by isomer "
                   "{}.</footer>\n<script>{}</script>\n</body>\n</html>\n",
                   version, script);
}

}  // namespace isomer::report
