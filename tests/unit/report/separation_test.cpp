// SPDX-License-Identifier: MIT
// What synth and compare say of results that the engines were not asked for: hand-made
// ones.
#include "report/synth/separation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "history/builder.h"
#include "level/library.h"
#include "report/compare/report.h"
#include "report/synth/report.h"
#include "unit/report/fixtures.h"

namespace isomer::report {
namespace {

using history::TxnId;
using history::Value;
using testing::HasSubstr;
using testing::Not;

history::History lost_update() {
  history::HistoryBuilder builder;
  builder.set_initial(Value::integer(0));
  for (const int i : {1, 2}) {
    const auto txn = builder.begin(builder.session(i == 1 ? "a" : "b"));
    builder.read(txn, builder.key("x"), Value::integer(0));
    builder.write(txn, builder.key("x"), Value::integer(i));
  }
  return builder.build();
}

synth::Found found() {
  return {.history = lost_update(),
          .allowed = {{.level = "biswas:PC",
                       .relations = {{.name = "co",
                                      .is_order = true,
                                      .order = {{0}, {1}, {2}},
                                      .pairs = {}}}},
                      {.level = "cerone:CC",
                       .relations = {{.name = "vis",
                                      .is_order = false,
                                      .order = {},
                                      .pairs = {{{0}, {1}}, {{1}, {2}}}}}},
                      {.level = "plume:CC", .relations = {}}},
          .forbidden = {{.level = "biswas:SI", .axioms = {"Conflict"}},
                        {.level = "cerone:SI", .axioms = {"Ext", "NoConflict"}}},
          .size = {2, 1, 3},
          .operations = 4,
          .so = {}};
}

using check::HandMade;
using CertifiedFound = check::Certified<synth::Found>;

Separation separation(const CertifiedFound& f) {
  return {
      .found = f, .allow = {"PC", "cerone:CC", "plume:CC"}, .forbid = {"SI", "cerone:SI"}};
}

TEST(Separation, tells_the_axioms_where_there_is_no_other_evidence) {
  const CertifiedFound f = HandMade::certified(found());
  const std::string text = separation_text(separation(f), Ink(false));
  EXPECT_EQ(text,
            "  init   w(x)=0\n"
            "  a/1    r(x)=0  w(x)=1\n"
            "  b/1    r(x)=0  w(x)=2\n"
            "\n"
            "PC allows it\n"
            "  commit order: init < a/1 < b/1\n"
            "cerone:CC allows it\n"
            "  visibility: a/1 -> b/1\n"
            "plume:CC allows it: all its axioms hold\n"
            "SI forbids it: no execution satisfies axiom Conflict\n"
            "cerone:SI forbids it: no execution satisfies axioms Ext and NoConflict "
            "together\n");
}

TEST(Separation, tells_the_checkers_evidence_once_for_all_levels_that_share_it) {
  synth::Found made = found();
  const check::AskedLevel si("biswas:SI", *level::standard_level("biswas:SI"));
  made.levels = *check::certified_answers(made.history, {.levels = {si}, .budget = {}});
  const CertifiedFound f = HandMade::certified(std::move(made));
  const std::string text = separation_text(separation(f), Ink(false));
  EXPECT_THAT(text, HasSubstr("SI (axiom Conflict) forbids it: lost update on x\n"));
  EXPECT_THAT(text, HasSubstr("  a/1 --rw x--> b/1   a/1 read 0, the version that"));
  EXPECT_THAT(text, HasSubstr("cerone:SI forbids it: no execution"));
  EXPECT_EQ(unexplained(separation(f)), std::vector<std::size_t>{1});
  const Scene scene = separation_scene(separation(f));
  EXPECT_EQ(scene.boxes.size(), 3U);  // init, which both read from, is part of the cycle
  EXPECT_EQ(scene.boxes[1].number, 1U);
  EXPECT_EQ(scene.boxes[2].number, 2U);
  EXPECT_THAT(scene.title, HasSubstr("lost update on x"));
}

TEST(Separation, says_session_order_where_sessions_do_not) {
  synth::Found made = found();
  made.so = {{{1}, {2}}};
  const CertifiedFound f = HandMade::certified(std::move(made));
  EXPECT_THAT(separation_text(separation(f), Ink(false)),
              HasSubstr("  session order: a/1 -> b/1\n"));
}

TEST(SynthReport, says_how_far_it_got) {
  synth::Result result;
  result.outcome = synth::Outcome::Unknown;
  result.scope = {4, 2, 3};
  result.reason = "timeout";
  const Synthesized s{
      .allow = {"CC", "RA", "RC"}, .forbid = {"SI"}, .result = result, .proof = {}};
  EXPECT_EQ(
      synth_text(s, {}),
      "undecided (timeout): no history found that CC, RA and RC allow and SI forbids, "
      "searching those of up to 4 transactions, 2 keys and 3 values\n");
  EXPECT_EQ(nlohmann::json::parse(synth_json(s))["reason"], "timeout");
  EXPECT_TRUE(nlohmann::json::parse(synth_json(s))["history"].is_null());
}

TEST(SynthReport, does_not_claim_the_smallest_when_that_is_not_certain) {
  synth::Result result;
  result.outcome = synth::Outcome::Found;
  result.found.push_back(HandMade::certified(found()));
  result.is_smallest = false;
  result.reason = "timeout";
  Synthesized s{.allow = {"PC", "cerone:CC", "plume:CC"},
                .forbid = {"SI", "cerone:SI"},
                .result = result,
                .proof = {}};
  EXPECT_THAT(synth_text(s, {}), HasSubstr("there may be a smaller one (timeout)"));
  EXPECT_FALSE(nlohmann::json::parse(synth_json(s))["smallest"]);
  result.is_smallest = true;
  EXPECT_THAT(synth_text(s, {}), HasSubstr("none is smaller"));
  s.is_smallest_wanted = false;
  EXPECT_THAT(synth_text(s, {}), Not(HasSubstr("smaller")));
}

TEST(CompareReport, a_relation_is_unbounded_only_if_both_halves_are) {
  synth::Comparison comparison;
  comparison.relationship = synth::Relationship::Equivalent;
  comparison.left_to_right.implication = synth::Implication::Proved;
  comparison.right_to_left.implication = synth::Implication::InScope;
  const Compared compared{.left = "A", .right = "B", .comparison = comparison};
  const auto proof = [&] {
    return nlohmann::json::parse(compare_json(compared))["proof"].get<std::string>();
  };
  EXPECT_EQ(proof(), "scope");
  EXPECT_THAT(compare_text(compared, {}), HasSubstr("as far as was searched"));
  comparison.right_to_left.implication = synth::Implication::Proved;
  EXPECT_EQ(proof(), "unbounded");
  EXPECT_THAT(compare_text(compared, {}), Not(HasSubstr("as far as was searched")));
}

TEST(LatticeReport, lists_weaker_levels_first_and_names_the_undecided) {
  synth::Lattice lattice;
  lattice.classes = {{"biswas:SI", "cerone:SI"}, {"biswas:PC"}};
  lattice.histories.push_back(HandMade::certified(found()));
  lattice.edges = {{.strong = 0, .weak = 1, .witness = 0}};
  lattice.scope = {2, 1, 2};
  lattice.is_complete = false;
  lattice.undecided = {"A and B"};
  EXPECT_EQ(
      lattice_text(lattice, {}),
      "3 levels in 2 sets of equivalent ones, told apart by histories of up to 2 "
      "transactions, 1 key and 2 values, all reads of which are of committed final writes\n"
      "\n"
      "  biswas:PC\n"
      "  biswas:SI = cerone:SI\n"
      "      is stronger than biswas:PC\n"
      "undecided, and left out: A and B\n");
  EXPECT_THAT(lattice_dot(lattice), HasSubstr("c1 -> c0"));
}

}  // namespace
}  // namespace isomer::report
