// SPDX-License-Identifier: MIT
// A page is text of our own making, and its pictures are in it as they are needed here:
// from
// "<svg class=\"picture\"" to the next "</svg>", with their size and title as attributes.
#include "report/page/page.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/picture/palette.h"

namespace isomer::report {
namespace {

constexpr double margin = 16;
constexpr double text_height = 22;
constexpr double gap = 18;
constexpr double character_width = 7;

std::vector<std::string_view> pictures_of(std::string_view page) {
  constexpr std::string_view open = "<svg class=\"picture\"";
  constexpr std::string_view close = "</svg>";
  std::vector<std::string_view> out;
  for (std::size_t at = 0; (at = page.find(open, at)) != std::string_view::npos;) {
    const std::size_t end = page.find(close, at) + close.size();
    out.push_back(page.substr(at, end - at));
    at = end;
  }
  return out;
}

// The value of an attribute of the first tag, escaped as it is.
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string start = fmt::format(" {}=\"", name);
  const std::size_t from = tag.find(start);
  if (from == std::string_view::npos) return {};
  const std::size_t first = from + start.size();
  return tag.substr(first, tag.find('"', first) - first);
}

double number(std::string_view text) {
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// What occurs in the picture, in its colour.
std::string legend(std::string_view picture) {
  std::vector<std::string> out;
  const auto occurs = [&](const Shade& shade) {
    if (&shade == &co_shade)
      return picture.find("class=\"number\"") != std::string_view::npos;
    return picture.find(fmt::format("class=\"arrow {}", shade.name)) !=
           std::string_view::npos;
  };
  for (const Shade& shade : palette)
    if (occurs(shade))
      out.push_back(
          fmt::format("<tspan class=\"{0}\" style=\"fill: var(--colour)\">{0}</tspan> {1}",
                      shade.name, shade.meaning));
  return fmt::format("{}", fmt::join(out, " &#160; "));
}

// Grows downwards.
class Sheet {
 public:
  void add_text(std::string_view words, std::string_view kind) {
    height_ += text_height;
    body_ += fmt::format("<text class=\"{}\" x=\"{}\" y=\"{}\">{}</text>\n", kind, margin,
                         height_ - 6, words);
  }

  void widen(double width) { width_ = std::max(width_, width); }

  void add_picture(std::string_view picture) {
    const std::string_view tag = picture.substr(0, picture.find('>') + 1);
    const double width = number(attribute(tag, "width"));
    const double height = number(attribute(tag, "height"));
    constexpr std::string_view end = "</svg>";
    body_ += fmt::format(
        "<g class=\"picture\" transform=\"translate({} {})\">{}</g>\n", margin, height_,
        picture.substr(tag.size(), picture.size() - tag.size() - end.size()));
    height_ += height;
    widen(width);
  }

  void add_gap(double height) { height_ += height; }

  [[nodiscard]] std::string document() const {
    const double width = width_ + 2 * margin;
    const double height = height_ + margin;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {0} {1}\" "
        "width=\"{0}\" height=\"{1}\">\n<style>{2}\n.title, .legend {{ font: 13px "
        "system-ui, sans-serif; "
        "fill: var(--soft); }}\n.title {{ font-weight: 700; fill: var(--ink); "
        "}}\n</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" rx=\"14\" style=\"fill: var(--paper)\"/>\n"
        "{3}</svg>\n",
        width, height, style_sheet(), body_);
  }

 private:
  double width_ = 0;
  double height_ = margin;
  std::string body_;
};

}  // namespace

std::string svg_document(std::string_view page) {
  const std::vector<std::string_view> pictures = pictures_of(page);
  if (pictures.empty()) return {};
  Sheet sheet;
  for (const std::string_view picture : pictures) {
    if (picture.data() != pictures[0].data()) sheet.add_gap(gap);
    for (const std::string_view line : lines_in(attribute(picture, "aria-label"))) {
      sheet.add_text(line, "title");
      sheet.widen(character_width * double(line.size()));
    }
    sheet.add_gap(gap / 2);
    sheet.add_picture(picture);
    sheet.add_text(legend(picture), "legend");
  }
  return sheet.document();
}

}  // namespace isomer::report
