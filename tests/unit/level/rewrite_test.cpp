// SPDX-License-Identifier: MIT
#include "level/rewrite.h"

#include <gtest/gtest.h>

#include "level/level.h"
#include "level/library.h"

namespace isomer::level {
namespace {

TEST(RewriteTest, unions_are_equal_whatever_their_order) {
  Level level;
  TermMaker maker(level);
  const TermId so = maker.relation(Op::So, {});
  const TermId wr = maker.relation(Op::Wr, {});
  const TermId both = maker.relation(Op::Union, {so, wr});
  EXPECT_EQ(both, maker.relation(Op::Union, {wr, so}));
  EXPECT_EQ(both, maker.relation(Op::Union, {both, so}));
  EXPECT_EQ(both, maker.relation(Op::Union, {maker.relation(Op::Empty, {}), both}));
}

TEST(RewriteTest, closures_of_the_transitive_are_dropped) {
  Level level = *standard_level("biswas:PC");
  TermMaker maker(level);
  const TermId co = maker.witness(0);
  const TermId closure = maker.relation(Op::Plus, {maker.relation(Op::So, {})});
  EXPECT_EQ(maker.relation(Op::Plus, {co}), co);
  EXPECT_EQ(maker.relation(Op::Plus, {closure}), closure);
  EXPECT_EQ(text_of(level, maker.relation(Op::Star, {co})), "co?");
}

TEST(RewriteTest, the_union_of_wr_over_all_keys_is_wr) {
  Level level;
  TermMaker maker(level);
  const TermId of_key = maker.relation(Op::Wr, {maker.key_variable(3)});
  EXPECT_EQ(maker.make(Op::UnionOfKeys, txn_relation, 3, std::array{of_key}),
            maker.relation(Op::Wr, {}));
}

TEST(RewriteTest, a_key_is_not_captured) {
  Level level;
  TermMaker maker(level);
  const auto wr = [&](std::uint32_t x) {
    return maker.relation(Op::Wr, {maker.key_variable(x)});
  };
  const TermId body = maker.relation(Op::Compose, {wr(1), wr(0)});
  const TermId open = maker.make(Op::UnionOfKeys, txn_relation, 1, std::array{body});
  const TermId closed = maker.with_key(open, maker.key_variable(1));
  EXPECT_EQ(maker[closed].free_variables, std::uint64_t{1} << 1U);
  const Term inside = maker[maker[closed].argument_ids[0]];
  EXPECT_EQ(inside.argument_ids[1], wr(1));
  EXPECT_EQ(inside.argument_ids[0], wr(maker[closed].number));
}

TEST(RewriteTest, witnesses_are_replaced) {
  const Level& weaker = *standard_level("biswas:SER");
  Level to = *standard_level("cerone:SER");
  TermMaker maker(to);
  const std::array meanings{maker.witness(1)};
  Import import(weaker, to, meanings);
  EXPECT_EQ(text_of(to, import(weaker.axioms[1].formula)), "so | wr in ar");
}

}  // namespace
}  // namespace isomer::level
