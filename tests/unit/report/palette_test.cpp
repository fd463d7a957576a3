// SPDX-License-Identifier: MIT
// Pages, pictures of their own, DOT and terminals show a relation in one colour.
#include "report/picture/palette.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/check/finding.h"
#include "report/page/page.h"
#include "unit/report/fixtures.h"

namespace isomer::report {
namespace {

using check::EdgeKind;
using testing::HasSubstr;
using testing::Not;

std::string page_of(const fixture::Case& c) {
  const std::string part = check_html_part(c.checked(), 0);
  return check_html(std::span(&part, 1));
}

TEST(Palette, begins_with_the_kinds_of_edges) {
  for (const EdgeKind kind : {EdgeKind::So, EdgeKind::Wr, EdgeKind::Ww, EdgeKind::Rw})
    EXPECT_EQ(shade_of(kind).name, check::name(kind));
}

TEST(Palette, is_what_the_style_sheet_has_for_light_and_dark) {
  const std::string style = style_sheet();
  for (const Shade& shade : palette) {
    EXPECT_THAT(style, HasSubstr(fmt::format("--{}: {};", shade.name, shade.light)));
    EXPECT_THAT(style, HasSubstr(fmt::format("--{}: {};", shade.name, shade.dark)));
  }
}

TEST(Palette, colours_the_arrows_of_a_terminal) {
  const fixture::Case c = fixture::lost_update();
  const Checked checked = c.checked();
  const Finding finding = findings(checked.result)[0];
  EXPECT_THAT(finding_text(checked.history, finding, Ink(true)),
              HasSubstr("\x1b[31m--rw balance-->\x1b[0m"));
  EXPECT_THAT(finding_text(checked.history, finding, Ink(false)), Not(HasSubstr("\x1b")));
}

TEST(Legend, explains_what_is_in_the_picture_and_nothing_else) {
  const std::string page = page_of(fixture::lost_update());
  EXPECT_THAT(page, HasSubstr("<i class=\"rw\"></i>rw: read what the other overwrote"));
  EXPECT_THAT(page, Not(HasSubstr("<i class=\"so\"></i>")));
  EXPECT_THAT(page, Not(HasSubstr("place in the commit order")));
  EXPECT_THAT(page_of(fixture::serial()),
              HasSubstr("<b class=\"co\">1</b>co: place in the commit order"));
}

TEST(Page, says_first_what_holds) {
  EXPECT_THAT(page_of(fixture::lost_update()),
              HasSubstr("<p class=\"lead no\">lost update on balance: "));
  EXPECT_THAT(
      page_of(fixture::serial()),
      HasSubstr("<p class=\"lead ok\">every level that was asked for allows it</p>"));
}

TEST(SvgDocument, has_the_pictures_of_a_page_in_their_colours) {
  const std::string svg = svg_document(page_of(fixture::lost_update()));
  EXPECT_THAT(svg, testing::StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(svg, HasSubstr("class=\"arrow rw cycle\""));
  EXPECT_THAT(svg, HasSubstr(fmt::format("--rw: {};", shade_of(EdgeKind::Rw).light)));
  EXPECT_THAT(svg, HasSubstr("<text class=\"title\""));
  EXPECT_THAT(svg, HasSubstr(">rw</tspan> read what the other overwrote"));
  EXPECT_EQ(svg.find("<svg", 1), std::string::npos);
}

TEST(SvgDocument, is_empty_without_pictures) {
  EXPECT_EQ(svg_document("<html><p>none</p></html>"), "");
}

}  // namespace
}  // namespace isomer::report
