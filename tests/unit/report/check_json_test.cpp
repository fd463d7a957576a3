// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "history/builder.h"
#include "unit/report/fixtures.h"

namespace isomer::report {
namespace {

using Json = nlohmann::json;

Json parsed(const fixture::Case& c, bool witness) {
  const std::string part = check_json_part(c.checked(), {.witness = witness});
  return Json::parse(check_json(std::span(&part, 1), {}));
}

TEST(CheckJson, has_the_promised_fields) {
  const Json document = parsed(fixture::lost_update(), false);
  const Json& history = document["histories"][0];
  EXPECT_EQ(history["file"], "bank.hist");
  EXPECT_EQ(history["sessions"], 2);
  EXPECT_EQ(history["transactions"], 2);
  EXPECT_EQ(history["operations"], 4);
  EXPECT_EQ(history["strongest"], Json::array({"PC"}));
  EXPECT_EQ(history["levels"].size(), 7U);
  EXPECT_EQ(history["levels"]["PC"]["verdict"], "ok");
  const Json& si = history["levels"]["SI"];
  EXPECT_EQ(si["verdict"], "violation");
  EXPECT_EQ(si["anomaly"], "lost update");
  EXPECT_EQ(si["axiom"], "NoConflict");
  EXPECT_EQ(si["transactions"], Json::array({"a/1", "b/1"}));
  EXPECT_EQ(si["edges"][0]["from"], "a/1");
  EXPECT_EQ(si["edges"][0]["to"], "b/1");
  EXPECT_EQ(si["edges"][0]["kind"], "rw");
  EXPECT_EQ(si["edges"][0]["key"], "balance");
  EXPECT_TRUE(si["seconds"].is_number());
}

TEST(CheckJson, nests_justifications) {
  const Json document = parsed(fixture::causality(), false);
  const Json& edge = document["histories"][0]["levels"]["CC"]["edges"][0];
  EXPECT_EQ(edge["via"], "c/1");
  EXPECT_EQ(edge["because"].size(), 2U);
  EXPECT_EQ(edge["because"][1]["key"], "y");
}

TEST(CheckJson, shows_witnesses_only_when_asked) {
  const fixture::Case fork = fixture::long_fork();
  EXPECT_FALSE(parsed(fork, false)["histories"][0]["levels"]["CC"].contains("witness"));
  const Json document = parsed(fork, true);
  const Json& levels = document["histories"][0]["levels"];
  EXPECT_EQ(levels["CC"]["witness"]["commit_order"].size(), 5U);
  EXPECT_EQ(levels["PSI"]["witness"]["arbitration"].size(), 5U);
  EXPECT_EQ(levels["PSI"]["witness"]["visibility"],
            Json::parse(R"([["a/1", "c/1"], ["b/1", "d/1"]])"));
}

TEST(CheckJson, tells_the_problem_and_the_undecided) {
  fixture::Case c = fixture::aborted_read();
  c.result.levels[6].verdict = check::Unknown{"interrupted"};
  const Json document = parsed(c, false);
  const Json& levels = document["histories"][0]["levels"];
  EXPECT_EQ(levels["RC"]["problem"]["kind"], "aborted read");
  EXPECT_EQ(levels["RC"]["problem"]["other"], "a/1");
  EXPECT_EQ(levels["SER"]["verdict"], "unknown");
  EXPECT_EQ(levels["SER"]["reason"], "interrupted");
}

TEST(CheckJson, is_one_document_for_several_histories_and_errors) {
  const std::string parts[] = {check_json_part(fixture::serial().checked(), {}),
                               check_json_part(fixture::lost_update().checked(), {})};
  const Json document = Json::parse(
      check_json(parts, {.errors = {diagnostic_of_file("gone.hist", "cannot read")}}));
  EXPECT_EQ(document["histories"].size(), 2U);
  EXPECT_EQ(document["errors"][0]["file"], "gone.hist");
  EXPECT_EQ(Json::parse(check_json({}, {}))["histories"].size(), 0U);
}

TEST(CheckJson, survives_names_that_are_not_text) {
  history::HistoryBuilder builder;
  builder.set_initial(history::Value::integer(0));
  builder.read(builder.begin(builder.session("a\xff\"")), builder.key("\xc3"),
               history::Value::integer(9));
  const fixture::Case c = fixture::bad_read("bad\xfe.hist", builder.build(),
                                            "thin-air read", {{1}}, {check::Level::SI});
  EXPECT_EQ(parsed(c, true)["histories"][0]["levels"]["SI"]["verdict"], "violation");
}

}  // namespace
}  // namespace isomer::report
