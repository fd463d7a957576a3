// SPDX-License-Identifier: MIT
// What terms evaluation makes: small ones, and the same ones for the same thing.
#include <array>

#include <gtest/gtest.h>

#include "verify/symbolic/functions.h"

namespace isomer::verify {
namespace {

using program::ExpressionPtr;
using Kind = Expression::Kind;

struct EvaluateTerms : testing::Test {
  Terms terms;
  Program program;
  SymbolicOptions options;
  Evaluation evaluation{terms, program, options};
  std::vector<Cell> cells;

  EvaluateTerms() { program.source = "x / 10"; }

  static Type money() {
    Type out = type_of_kind(TypeKind::Numeric);
    out.precision = 6;
    out.scale = 2;
    return out;
  }

  ExpressionPtr variable(const Type& type, bool may_be_null = false) {
    return variable(unknown_cell(terms, type, "x", may_be_null));
  }

  ExpressionPtr variable(const Cell& cell) {
    Expression out;
    out.kind = Kind::Variable;
    out.type = cell.type;
    out.variable = {static_cast<std::uint32_t>(cells.size())};
    cells.push_back(cell);
    evaluation.variables = cells;
    return std::make_shared<const Expression>(out);
  }

  static ExpressionPtr constant(Value value, TypeKind kind) {
    Expression out;
    out.type = type_of_kind(kind);
    out.value = std::move(value);
    return std::make_shared<const Expression>(out);
  }

  static ExpressionPtr made(Kind kind, Function function, TypeKind type,
                            std::vector<ExpressionPtr> arguments) {
    Expression out;
    out.kind = kind;
    out.type = type_of_kind(type);
    out.function = function;
    out.arguments = std::move(arguments);
    out.at = {.first = 2, .last = 3};
    return std::make_shared<const Expression>(out);
  }

  static ExpressionPtr call(Function function, TypeKind type,
                            std::vector<ExpressionPtr> arguments) {
    return made(Kind::Call, function, type, std::move(arguments));
  }

  Cell value_of(const ExpressionPtr& expression) {
    return evaluate(*expression, nullptr, terms.truth(true), evaluation);
  }
};

TEST_F(EvaluateTerms, has_no_null_where_columns_have_none) {
  const auto x = variable(type_of_kind(TypeKind::Int4));
  const auto y = variable(type_of_kind(TypeKind::Int4));
  const Cell sum = value_of(call(Function::Add, TypeKind::Int4, {x, y}));
  EXPECT_TRUE(terms.is_false(sum.is_null));
  EXPECT_EQ(sum.data, terms.sum(cells[0].data, cells[1].data));
}

TEST_F(EvaluateTerms, guards_rule_faults_out) {
  const auto x = variable(type_of_kind(TypeKind::Int4));
  const auto zero = constant(Value::integer(0), TypeKind::Int4);
  const auto ten = constant(Value::integer(10), TypeKind::Int4);
  const auto quotient = call(Function::Divide, TypeKind::Int4, {ten, x});
  value_of(made(Kind::Case, {}, TypeKind::Int4,
                {call(Function::Equal, TypeKind::Bool, {x, zero}), zero, quotient}));
  EXPECT_TRUE(evaluation.faults.empty());
  value_of(quotient);
  ASSERT_EQ(evaluation.faults.size(), 1U);
  EXPECT_EQ(evaluation.faults[0].sqlstate, "22012");
}

TEST_F(EvaluateTerms, rounds_only_what_may_have_more_digits) {
  const auto x = variable(money());
  const auto fee =
      constant(Value(program::Decimal{.digits = 150, .scale = 2}), TypeKind::Numeric);
  const Cell sum = value_of(call(Function::Add, TypeKind::Numeric, {x, fee}));
  const Term when = terms.truth(true);
  EXPECT_EQ(converted(sum, money(), Conversion::Assignment, when, {}, evaluation).data,
            sum.data);
  const Cell product = value_of(call(Function::Multiply, TypeKind::Numeric, {x, fee}));
  EXPECT_NE(converted(product, money(), Conversion::Assignment, when, {}, evaluation).data,
            product.data);
}

TEST_F(EvaluateTerms, tries_the_constants_of_a_choice) {
  const Term condition = terms.variable("c", TermSort::Bool);
  const Type text = type_of_kind(TypeKind::Text);
  const auto name =
      variable(choose(terms, condition, constant_cell(terms, Value::text("ann"), text),
                      constant_cell(terms, Value::text("bob"), text)));
  const Cell upper = value_of(call(Function::Upper, TypeKind::Text, {name}));
  EXPECT_EQ(upper.data, terms.choose(condition, terms.text("ANN"), terms.text("BOB")));
  EXPECT_TRUE(evaluation.approximations.empty());
}

TEST_F(EvaluateTerms, says_once_what_is_any_function) {
  const auto name = variable(type_of_kind(TypeKind::Text));
  const auto lower = call(Function::Lower, TypeKind::Text, {name});
  EXPECT_EQ(value_of(lower).data, value_of(lower).data);
  ASSERT_EQ(evaluation.approximations.size(), 1U);
  EXPECT_EQ(evaluation.approximations[0].what, "lower()");
}

TEST_F(EvaluateTerms, compares_with_a_pattern_without_wildcards) {
  const auto name = variable(type_of_kind(TypeKind::Text));
  const auto ann = constant(Value::text("ann"), TypeKind::Text);
  EXPECT_EQ(value_of(call(Function::Like, TypeKind::Bool, {name, ann})).data,
            terms.same(cells[0].data, terms.text("ann")));
  EXPECT_TRUE(evaluation.approximations.empty());
}

TEST_F(EvaluateTerms, refuses_litmus_values_with_their_place) {
  value_of(call(Function::Add, TypeKind::Any, {}));
  ASSERT_EQ(evaluation.unsupported.size(), 1U);
  EXPECT_EQ(evaluation.unsupported[0].at.column, 3U);
}

TEST_F(EvaluateTerms, sorts_nulls_where_they_are_wanted) {
  const Type type = type_of_kind(TypeKind::Int4);
  const Cell null = null_cell(terms, type);
  const Cell one = constant_cell(terms, Value::integer(1), type);
  const Cell two = constant_cell(terms, Value::integer(2), type);
  for (const bool descends : {false, true}) {
    EXPECT_EQ(terms.is_true(sorts_before(terms, one, two, descends, false)), !descends);
    EXPECT_EQ(terms.is_true(sorts_before(terms, two, one, descends, false)), descends);
    for (const bool nulls_first : {false, true}) {
      EXPECT_EQ(terms.is_true(sorts_before(terms, null, one, descends, nulls_first)),
                nulls_first);
      EXPECT_EQ(terms.is_true(sorts_before(terms, one, null, descends, nulls_first)),
                !nulls_first);
      EXPECT_TRUE(terms.is_false(sorts_before(terms, null, null, descends, nulls_first)));
    }
  }
}

TEST_F(EvaluateTerms, knows_the_range_of_a_type) {
  const auto is_in = [&](const std::string& number, const Type& type) {
    return terms.is_true(
        is_in_range(terms, value_cell(terms, type, terms.number(number, sort_of(type)))));
  };
  EXPECT_TRUE(is_in("-32768", type_of_kind(TypeKind::Int2)));
  EXPECT_FALSE(is_in("32768", type_of_kind(TypeKind::Int2)));
  EXPECT_FALSE(is_in("2147483648", type_of_kind(TypeKind::Int4)));
  EXPECT_TRUE(is_in("-9223372036854775808", type_of_kind(TypeKind::Int8)));
  EXPECT_TRUE(is_in("9999.99", money()));
  EXPECT_FALSE(is_in("-10000", money()));
  EXPECT_TRUE(is_in("100000000000000000000", type_of_kind(TypeKind::Numeric)));
}

TEST_F(EvaluateTerms, records_without_a_row_have_null_fields) {
  const Type record = type_of_kind(TypeKind::Record);
  const Cell one = constant_cell(terms, Value::integer(1), type_of_kind(TypeKind::Int4));
  const Term condition = terms.variable("c", TermSort::Bool);
  const Cell out =
      choose(terms, condition, Cell{record, {}, {}, {}}, Cell{record, {}, {}, {one}});
  ASSERT_EQ(out.fields.size(), 1U);
  EXPECT_EQ(out.fields[0].is_null, condition);
  EXPECT_EQ(out.fields[0].data, one.data);
}

}  // namespace
}  // namespace isomer::verify
