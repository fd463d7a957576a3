// SPDX-License-Identifier: MIT
// DOT, SVG and HTML: what is in them, and that names from the input cannot break them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/builder.h"
#include "report/picture/picture.h"
#include "unit/report/fixtures.h"

namespace isomer::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string dot(const fixture::Case& c) {
  const std::string part = check_dot_part(c.checked(), 0);
  return check_dot(std::span(&part, 1));
}

std::string html(const fixture::Case& c) {
  const std::string part = check_html_part(c.checked(), 0);
  return check_html(std::span(&part, 1));
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at)
    ++found;
  return found;
}

// The lost update with names that mean something in every output language.
fixture::Case hostile() {
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  const auto key = builder.key("<b>\"|{x}\\&\n\xff");
  for (const char* session : {"</script>", "b\"c"}) {
    const auto t = builder.begin(builder.session(session));
    builder.read(t, key, history::Value::integer(0));
    builder.write(t, key, history::Value::integer(session[0]));
  }
  return fixture::violated(
      "<i>.hist", builder.build(),
      {.anomaly = "lost update",
       .axioms = {"Conflict"},
       .summary = "x",
       .transactions = {{1}, {2}},
       .is_minimal = true,
       .cycle = {{{1}, {2}, check::EdgeKind::Rw, key, check::init, {}},
                 {{2}, {1}, check::EdgeKind::Rw, key, check::init, {}}},
       .problem = {}},
      {check::Level::SI});
}

TEST(Dot, shows_the_cycle_loudly_and_inferred_edges_dashed) {
  const std::string out = dot(fixture::causality());
  EXPECT_EQ(count(out, "penwidth=2.4"), 2U);
  EXPECT_EQ(count(out, "style=dashed"), 1U);
  EXPECT_THAT(out, HasSubstr("h0_0_t2 -> h0_0_t1 [label=\"ww x\""));
  EXPECT_THAT(out, HasSubstr(R"([label="{b/1  (line 3)|r(x)=1\lw(x)=2\l}"])"));
}

TEST(Dot, draws_a_small_consistent_history_with_its_commit_order) {
  const std::string out = dot(fixture::serial());
  EXPECT_THAT(out, HasSubstr("#1  a/1"));
  EXPECT_THAT(out, HasSubstr("#2  b/1"));
  EXPECT_THAT(out, HasSubstr("#3  a/2"));
}

TEST(Svg, comes_from_graphviz_for_every_kind_of_result) {
  for (const fixture::Case& c :
       {fixture::lost_update(), fixture::aborted_read(), fixture::serial(), hostile()}) {
    const Expected<std::string> svg = svg_of_dot(dot(c));
    ASSERT_TRUE(svg.has_value()) << c.file;
    EXPECT_THAT(*svg, HasSubstr("<svg "));
    EXPECT_THAT(*svg, HasSubstr("</svg>"));
  }
}

TEST(Svg, refuses_what_is_not_dot) {
  EXPECT_FALSE(svg_of_dot("this is { no graph").has_value());
}

TEST(Html, has_a_box_for_each_transaction_and_an_arrow_for_each_edge) {
  const std::string out = html(fixture::lost_update());
  EXPECT_EQ(count(out, "<g class=\"box"), 3U);  // with init
  EXPECT_EQ(count(out, " class=\"arrow rw cycle\">"), 2U);
  EXPECT_EQ(count(out, " class=\"arrow wr context\">"), 2U);
  EXPECT_THAT(out, HasSubstr("session a"));
  EXPECT_THAT(out, HasSubstr("a/1 read 60, the version that b/1 overwrote"));
}

TEST(Html, ties_each_reason_to_its_arrow) {
  const std::string out = html(fixture::causality());
  for (const char* id :
       {"p0-0-2-1-ww-0", "p0-0-2-4-wr-0", "p0-0-4-3-wr-1", "p0-0-1-2-wr-0"}) {
    EXPECT_EQ(count(out, fmt::format("<g id=\"{}\"", id)), 1U) << id;
    EXPECT_EQ(count(out, fmt::format("<li data-arrow=\"{}\"", id)), 1U) << id;
  }
}

TEST(Html, numbers_the_commit_order_of_a_consistent_history) {
  const std::string out = html(fixture::serial());
  EXPECT_EQ(count(out, "class=\"number\""), 3U);
  EXPECT_THAT(out, HasSubstr("SER allows it"));
}

TEST(Html, escapes_every_name) {
  const std::string out = html(hostile());
  EXPECT_EQ(count(out, "</script>"), 1U);  // the page's own
  EXPECT_THAT(out, Not(HasSubstr("<b>\"")));
  EXPECT_THAT(out, Not(HasSubstr("<i>.hist")));
  EXPECT_THAT(out, HasSubstr("&lt;/script&gt;"));
  EXPECT_THAT(out, Not(HasSubstr("\xff")));
}

TEST(Html, leaves_out_the_picture_of_a_large_consistent_history) {
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  for (std::int64_t i = 0; i < 100; ++i)
    builder.write(builder.begin(builder.session("a")), builder.key("x"),
                  history::Value::integer(i + 1));
  const fixture::Case c = fixture::violated("large.hist", builder.build(), {}, {});
  EXPECT_THAT(html(c), Not(HasSubstr("<svg")));
  EXPECT_THAT(dot(c), HasSubstr("nothing to draw (100 transactions)"));
}

TEST(EscapeHtml, knows_the_four_characters) {
  EXPECT_EQ(escape_html("a<b>&\"c"), "a&lt;b&gt;&amp;&quot;c");
}

}  // namespace
}  // namespace isomer::report
