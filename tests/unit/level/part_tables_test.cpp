// SPDX-License-Identifier: MIT
#include "level/part_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "history/formats.h"
#include "level/library.h"
#include "logic/finder.h"

namespace isomer::level {
namespace {

using history::History;
using history::TxnId;
using testing::ElementsAre;

History read(std::string_view text) {
  auto result = history::parse_history(text, "test.hist", {});
  if (!result) ADD_FAILURE() << render(result.error());
  return std::move(result->history);
}

const Level& serializability() {
  return *standard_level("biswas:SER");
}

// x is 1 by a/1 or by b/1; c/1 may have committed or not.
constexpr std::string_view open_text =
    "a: { w(x,1) }\n"
    "b: { w(x,1) }\n"
    "c: { w(x,1) } unknown\n"
    "d: { r(x,1) } { r(y,0) }\n"
    "e: { w(y,7) } abort\n";

TEST(HistoryTables, leaves_out_what_aborted_and_keeps_what_is_open) {
  const History h = read(open_text);
  const Part part = whole(h, serializability());
  EXPECT_THAT(part.index.txns,
              ElementsAre(TxnId{0}, TxnId{1}, TxnId{2}, TxnId{3}, TxnId{4}, TxnId{5}));
  EXPECT_THAT(part.open_txns, ElementsAre(TxnId{3}));
  ASSERT_EQ(part.open_reads.size(), 1U);
  EXPECT_THAT(part.open_reads[0].candidates, ElementsAre(TxnId{1}, TxnId{2}, TxnId{3}));
}

TEST(HistoryTables, has_what_was_chosen) {
  const History h = read(open_text);
  const Part part = whole(h, serializability());
  const HistoryTables<Truth> chosen = history_tables(part, {{TxnId{2}}, {false}});
  EXPECT_THAT(chosen.txn_exists, ElementsAre(1, 1, 1, 0, 1, 1));
  EXPECT_THAT(chosen.writers[0], ElementsAre(1, 1, 1, 0, 0, 0));
  EXPECT_THAT(chosen.readers[0], ElementsAre(0, 0, 0, 0, 1, 0));
  EXPECT_EQ(chosen.wr[0](2, 4), 1);
  EXPECT_EQ(chosen.wr[0](1, 4), 0);
  EXPECT_EQ(chosen.wr[1](0, 5), 1);
  EXPECT_EQ(chosen.so(4, 5), 1);
  EXPECT_EQ(chosen.so(0, 3), 0);
  EXPECT_FALSE(is_possible(part, {{TxnId{3}}, {false}}));
  EXPECT_TRUE(is_possible(part, {{TxnId{3}}, {true}}));
}

// Every way to settle what is open is a model, and no other is.
TEST(HistoryTables, leaves_a_solver_exactly_the_choices_there_are) {
  const History h = read(open_text);
  const Part part = whole(h, serializability());
  logic::Circuit circuit;
  const OpenTables open = open_tables(part, circuit);
  logic::Finder finder(circuit);
  for (const logic::Bit fact : open.facts)
    finder.require(fact);
  std::vector<logic::Bit> bits = open.writer[0];
  bits.push_back(open.took_effect[0]);
  int models = 0;
  while (finder.solve({}) == logic::SatAnswer::Satisfiable) {
    ++models;
    ASSERT_LE(models, 5);
    std::vector<logic::Bit> other;
    for (const logic::Bit bit : bits)
      other.push_back(finder.value(bit) ? ~bit : bit);
    finder.require_any(other);
  }
  EXPECT_EQ(models, 5);  // from a or b with c or without, or from c
}

TEST(HistoryTables, drops_reads_from_outside_a_part) {
  const History h = read("a: { w(x,1) w(y,1) }\nb: { r(x,1) } { r(y,1) w(z,2) }\n");
  const TxnId readers[] = {{2}, {3}};
  const Part both = part(h, serializability(), readers);
  EXPECT_TRUE(both.index.reads.empty());
  EXPECT_EQ(both.index.keys.size(), 1U);
  const TxnId pair[] = {{1}, {3}};
  EXPECT_EQ(part(h, serializability(), pair).index.reads.size(), 1U);
  const history::ReadId dropped[] = {{1}};
  EXPECT_TRUE(part(h, serializability(), pair, dropped).index.reads.empty());
}

TEST(HistoryTables, knows_types_by_names_and_flaws_by_readers) {
  const History h = read(
      "a: \"pay(1, 2)\" { w(x,1) }\n"
      "b: \"pay(3, 4)\" { r(x,5) }\n"
      "c: audit { r(x,1) }\n");
  const Part part = whole(h, serializability());
  const HistoryTables<Truth> all = history_tables(part, {});
  EXPECT_THAT(all.typed.at("pay"), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(all.typed.at("audit"), ElementsAre(0, 0, 0, 1));
  EXPECT_THAT(all.flawed[static_cast<std::size_t>(Flaw::ThinAir)], ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(all.readers[0], ElementsAre(0, 0, 0, 1));
}

}  // namespace
}  // namespace isomer::level
