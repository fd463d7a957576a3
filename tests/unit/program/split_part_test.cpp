// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "program/machine/evaluate.h"

namespace isomer::program {
namespace {

ExpressionPtr constant(Value value, TypeKind type) {
  Expression expression;
  expression.value = std::move(value);
  expression.type.kind = type;
  return std::make_shared<const Expression>(std::move(expression));
}

// The piece, or the SQLSTATE.
std::string split_part(std::string text, std::string separator, std::int64_t number) {
  Expression call;
  call.kind = Expression::Kind::Call;
  call.function = Function::SplitPart;
  call.type.kind = TypeKind::Text;
  call.arguments = {constant(Value::text(std::move(text)), TypeKind::Text),
                    constant(Value::text(std::move(separator)), TypeKind::Text),
                    constant(Value::integer(number), TypeKind::Int4)};
  Context context;
  const Value value = evaluate(call, nullptr, context);
  return context.fault ? context.fault->sqlstate : to_text(value);
}

// What PostgreSQL 15 says.
TEST(split_part, finds_pieces_from_both_ends) {
  EXPECT_EQ(split_part("5,12,7", ",", 1), "5");
  EXPECT_EQ(split_part("5,12,7", ",", 2), "12");
  EXPECT_EQ(split_part("5,12,7", ",", 3), "7");
  EXPECT_EQ(split_part("5,12,7", ",", 4), "");
  EXPECT_EQ(split_part("5,12,7", ",", -1), "7");
  EXPECT_EQ(split_part("5,12,7", ",", -4), "");
  EXPECT_EQ(split_part("a--b", "--", 2), "b");
  EXPECT_EQ(split_part("a,", ",", 2), "");
}

TEST(split_part, takes_an_empty_separator_for_none) {
  EXPECT_EQ(split_part("abc", "", 1), "abc");
  EXPECT_EQ(split_part("abc", "", 2), "");
  EXPECT_EQ(split_part("abc", "", -1), "abc");
}

TEST(split_part, refuses_piece_zero) {
  EXPECT_EQ(split_part("a", ",", 0), "22023");
}

}  // namespace
}  // namespace isomer::program
