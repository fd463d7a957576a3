// SPDX-License-Identifier: MIT
#include "support/random_sql/random_expression.h"

#include <fmt/format.h>

#include "base/assert.h"

namespace isomer::test {
namespace {

template <std::size_t N>
using Texts = std::array<std::string_view, N>;

constexpr Texts<6> comparisons{"=", "<>", "<", "<=", ">", ">="};
constexpr Texts<5> operators{"+", "-", "*", "/", "%"};
constexpr Texts<9> patterns{"'%n%'", "'A%'", "'_o_'",  "''",   "'a\\%%'",
                            "'%'",   "'b '", "'b   '", "'b_%'"};
// With an escape at the end, which is an error if the match comes to it.
constexpr Texts<8> dangling{"'ann\\'", "'%\\'",    "'a%\\'", "'%n\\'",
                            "'%_\\'",  "'_b%_\\'", "'\\'",   "'%o\\\\'"};
constexpr Texts<6> char_literals{"'b'",        "'b  '::char(4)",   "'b  '::varchar",
                                 "'b '::text", "'b '::varchar(3)", "'B'::char(2)"};
constexpr Texts<20> date_texts{"'2023-02-28'",
                               "'2023-02-29'",
                               "'2024-2-9'",
                               "'10000-01-01'",
                               "'0044-03-15 BC'",
                               "'0001-01-01'",
                               "'0000-01-01'",
                               "'0001-02-29 BC'",
                               "'5874897-12-31'",
                               "'5874898-01-01'",
                               "'4714-11-24 BC'",
                               "'4714-11-23 BC'",
                               "'2024-13-01'",
                               "'2024-00-10'",
                               "'abc'",
                               "''",
                               "'199-01-01'",
                               "'-2024-01-01'",
                               "'2024-01-31 23:59:59.9999999'",
                               "'2024-01-01 25:00'"};
constexpr Texts<24> time_texts{"'2024-02-29 10:30:00.1234564'",
                               "'2024-02-29 10:30:00.1234565'",
                               "'2024-02-29 10:30:00.1234575'",
                               "'2023-12-31 23:59:59.9999995'",
                               "'2023-12-31 23:59:59.99999949'",
                               "'1999-12-31T23:59:60'",
                               "'1999-12-31 23:59:60.5'",
                               "'1999-12-31 24:00:00'",
                               "'1999-12-31 24:00:00.0000001'",
                               "'1999-12-31 24:00:01'",
                               "'0044-03-15 10:00:00.5 BC'",
                               "'10000-01-01 1:2:3.'",
                               "'294276-12-31 23:59:59.999999'",
                               "'294276-12-31 23:59:59.9999996'",
                               "'294277-01-01'",
                               "'4714-11-24 00:00 BC'",
                               "'4714-11-23 23:59:59.9999999 BC'",
                               "'4714-11-23 23:59:59 BC'",
                               "'2024-02-29 10:60'",
                               "'2024-02-29 10'",
                               "'2024-02-30 10:00'",
                               "'today it is'",
                               "'  2024-02-29   10:30 bc '",
                               "'1969-12-31 23:59:59.123456789012345678'"};

}  // namespace

std::string_view name_of(Type type) {
  switch (type) {
    case Type::Int:
      return "int";
    case Type::Big:
      return "bigint";
    case Type::Numeric:
      return "numeric";
    case Type::Text:
      return "text";
    case Type::Bool:
      return "boolean";
    case Type::Date:
      return "date";
    case Type::Timestamp:
      return "timestamp";
  }
  ISOMER_UNREACHABLE();
}

std::string RandomExpressions::literal(Type type) {
  switch (type) {
    case Type::Int:
      return pick(Texts<7>{"0", "1", "2", "7", "13", "(-3)", "2147483647"});
    case Type::Big:
      return pick(
          Texts<4>{"0::bigint", "3::bigint", "9223372036854775807", "(-5)::bigint"});
    case Type::Numeric:
      return pick(
          Texts<7>{"0.5", "1.25", "3.0", "(-2.75)", "100.00", "0.001", "0::numeric"});
    case Type::Text:
      return pick(Texts<5>{"'ann'", "'B'", "''", "'été'", "'10'"});
    case Type::Bool:
      return pick(Texts<2>{"true", "false"});
    case Type::Date:
      return pick(Texts<5>{"DATE '2024-02-29'", "DATE '1999-12-31'", "DATE '2100-03-01'",
                           "DATE '10000-01-01'", "DATE '0044-03-15 BC'"});
    case Type::Timestamp:
      return pick(Texts<5>{
          "TIMESTAMP '2024-02-29 10:30:00'", "TIMESTAMP '2024-02-29 10:30:00.1234567'",
          "TIMESTAMP '0001-12-31 23:59:59.9999999 BC'",
          "TIMESTAMP '2024-03-01 00:00:00.125'", "TIMESTAMP '1970-01-01 00:00:00'"});
  }
  ISOMER_UNREACHABLE();
}

std::string RandomExpressions::constant(Type type) {
  return random_.chance(0.15) ? fmt::format("NULL::{}", name_of(type)) : literal(type);
}

std::string RandomExpressions::column(Type type) {
  switch (type) {
    case Type::Int:
      return prefix_ + "a";
    case Type::Big:
      return prefix_ + "b";
    case Type::Numeric:
      return prefix_ + pick(Texts<2>{"n", "m"});
    case Type::Text:
      return prefix_ + pick(Texts<6>{"s", "s", "v", "c4", "c6", "vc"});
    case Type::Bool:
      return prefix_ + "f";
    case Type::Date:
      return prefix_ + "d";
    case Type::Timestamp:
      return prefix_ + "ts";
  }
  ISOMER_UNREACHABLE();
}

std::string RandomExpressions::leaf(Type type) {
  return random_.chance(0.7) ? column(type) : constant(type);
}

// Beside an operand that is no constant.
std::string RandomExpressions::second(Type type, int depth) {
  return random_.chance(0.3) ? literal(type) : expression(type, depth);
}

std::string RandomExpressions::expression(Type type, int depth) {
  if (depth <= 0 || random_.chance(0.1)) return column(type);
  if (random_.chance(0.2)) return choice(type, depth);
  switch (type) {
    case Type::Int:
    case Type::Big:
      return integer(type, depth);
    case Type::Numeric:
      return numeric(depth);
    case Type::Text:
      return text(depth);
    case Type::Bool:
      return boolean(depth);
    case Type::Date:
    case Type::Timestamp:
      return moment(type);
  }
  ISOMER_UNREACHABLE();
}

// What every type has.
std::string RandomExpressions::choice(Type type, int depth) {
  const std::string first = expression(type, depth - 1);
  switch (random_.below(6)) {
    case 0:
      return fmt::format("CASE WHEN {} THEN {} ELSE {} END", boolean(depth - 1), first,
                         second(type, depth - 1));
    case 1:
      return fmt::format("CASE {} WHEN {} THEN {} END", column(Type::Int),
                         second(Type::Int, 0), first);
    case 2:
      return fmt::format("coalesce({}, {})", first, second(type, depth - 1));
    case 3:
      return fmt::format("nullif({}, {})", first, second(type, depth - 1));
    case 4:
      return fmt::format("greatest({}, {}, {})", first, second(type, depth - 1),
                         leaf(type));
    default:
      return fmt::format("least({}, {})", second(type, depth - 1), first);
  }
}

std::string RandomExpressions::integer(Type type, int depth) {
  const std::string first = expression(type, depth - 1);
  switch (random_.below(11)) {
    case 10:
      return fmt::format("({} - {})::{}", column(Type::Date), second(Type::Date, 0),
                         name_of(type));
    case 0:
      return fmt::format("(- {})", first);
    case 1:
      return fmt::format("abs({})", first);
    case 2:
      return fmt::format("length({})::{}", text(depth - 1), name_of(type));
    case 3:
      return type == Type::Int
                 ? fmt::format("({})::int", expression(Type::Big, depth - 1))
                 : fmt::format("({})::bigint", expression(Type::Int, depth - 1));
    case 4:
      return fmt::format("({})::{}", numeric(depth - 1), name_of(type));
    case 5:
      return fmt::format("position({} IN {})::{}", second(Type::Text, 0),
                         column(Type::Text), name_of(type));
    case 6:
      return fmt::format("({})::{}", column(Type::Text), name_of(type));
    case 7:
      return fmt::format("({} {} {})", literal(type), pick(operators), first);
    default:
      return fmt::format("({} {} {})", first, pick(operators), second(type, depth - 1));
  }
}

// At most one division, and only at the bottom, so that no result has more than 38 digits:
// that is where Isomer stops and PostgreSQL goes on.
std::string RandomExpressions::numeric(int depth) {
  const std::string first = column(Type::Numeric);
  if (depth <= 0) return first;
  switch (random_.below(12)) {
    case 11:
      return fmt::format("nullif({}, {})", column(Type::Int), first);
    case 0:
      return fmt::format("round({}, {})", numeric(depth - 1), random_.below(4));
    case 1:
      return fmt::format("round({})", numeric(depth - 1));
    case 2:
      return fmt::format("ceil({})", numeric(depth - 1));
    case 3:
      return fmt::format("floor({})", numeric(depth - 1));
    case 4:
      return fmt::format("abs(- {})", first);
    case 5:
      return fmt::format("({} {} {})", first, pick(operators), second(Type::Int, 0));
    case 6:
      return fmt::format("({})::numeric(6, 1)", numeric(depth - 1));
    case 7:
      return fmt::format("({})::numeric", column(Type::Int));
    case 8:
      return fmt::format("({} {} {})", numeric(depth - 1), pick(Texts<2>{"+", "-"}), first);
    default:
      return fmt::format("({} {} {})", second(Type::Numeric, 0), pick(operators), first);
  }
}

std::string RandomExpressions::text(int depth) {
  if (depth <= 0) return column(Type::Text);
  if (random_.chance(0.5)) return mixed_text(depth);
  const std::string first = expression(Type::Text, depth - 1);
  switch (random_.below(8)) {
    case 0:
      return fmt::format("lower({})", first);
    case 1:
      return fmt::format("upper({})", first);
    case 2:
      return fmt::format("substring({}, {}, {})", first,
                         static_cast<int>(random_.below(5)) - 1,
                         static_cast<int>(random_.below(5)) - 1);
    case 3:
      return fmt::format("substring({} FROM {})", first, random_.below(4));
    case 4:
      return fmt::format("({})::text", column(any_type()));
    case 5:
      return fmt::format("({} || {})", first, second(Type::Int, 0));
    case 6:
      return fmt::format("split_part({}, 'n', {})", first,
                         static_cast<int>(random_.below(6)) - 2);
    default:
      return fmt::format("({} || {})", first, second(Type::Text, depth - 1));
  }
}

// Types of text that differ in what blanks at the end mean.
std::string RandomExpressions::mixed_text(int depth) {
  const auto operand = [&] {
    return random_.chance(0.6) ? column(Type::Text) : pick(char_literals);
  };
  // Its blanks can be counted.
  const auto counted = [&] {
    switch (random_.below(6)) {
      case 0:
        return fmt::format("nullif({}c4, {})", prefix_, operand());
      case 1:
        return fmt::format("coalesce({0}c6, {0}c6)", prefix_);
      case 2:
        return fmt::format("({})::char({})", operand(), random_.below(5) + 1);
      case 3:
        return column(any_type());
      default:
        return prefix_ + pick(Texts<4>{"c4", "c6", "vc", "v"});
    }
  };
  switch (random_.below(8)) {
    case 0:
      return fmt::format("concat({}, {}, '|')", counted(), counted());
    case 1:
      return fmt::format("({} || {})", operand(), column(Type::Text));
    case 2:
      return fmt::format("(greatest({}, {}, {}) || '|')", operand(), column(Type::Text),
                         operand());
    case 3:
      return fmt::format("(least({}, {}) || '|')", column(Type::Text), operand());
    case 4:
      return fmt::format("((CASE WHEN {} THEN {} WHEN {} THEN {} ELSE {} END) || '|')",
                         boolean(depth - 1), operand(), condition(0), operand(),
                         column(Type::Text));
    case 5:
      return fmt::format("(coalesce({}, {}) || '|')", column(Type::Text), operand());
    case 6:
      return fmt::format("(nullif({}, {}) || '|')", column(Type::Text), operand());
    default:
      return fmt::format("({} || length({}) || '|')", column(Type::Text), operand());
  }
}

std::string RandomExpressions::comparison(Type type) {
  return fmt::format("{} {} {}", leaf(type), pick(comparisons), leaf(type));
}

std::string RandomExpressions::boolean(int depth) {
  if (depth <= 0) return column(Type::Bool);
  const Type type = any_type();
  switch (random_.below(8)) {
    case 6:
      return fmt::format("({} {}LIKE {})", column(Type::Text),
                         random_.chance(0.5) ? "NOT " : "", pick(dangling));
    case 7:
      return fmt::format("({} {} {})", column(Type::Text), pick(comparisons),
                         pick(char_literals));
    case 0:
      return fmt::format("({} {} {})", expression(type, depth - 1), pick(comparisons),
                         second(type, depth - 1));
    case 1:
      return fmt::format("({} IS NULL)", expression(type, depth - 1));
    default:
      return condition(depth);
  }
}

std::string RandomExpressions::condition(int depth) {
  const Type type = any_type();
  switch (random_.below(depth > 0 ? 14 : 8)) {
    case 0:
      return fmt::format("({} < {})", leaf(Type::Int), leaf(Type::Numeric));
    case 1:
      return fmt::format("({} {} {})", leaf(Type::Big), pick(comparisons), leaf(Type::Int));
    case 2:
      return fmt::format("({} IS {}NULL)", column(type), random_.chance(0.5) ? "NOT " : "");
    case 3:
      return fmt::format("({} IS {}DISTINCT FROM {})", leaf(type),
                         random_.chance(0.5) ? "NOT " : "", leaf(type));
    case 4:
      return fmt::format("({} {}IN ({}, {}))", column(type),
                         random_.chance(0.5) ? "NOT " : "", constant(type), constant(type));
    case 5:
      return fmt::format("({} {}LIKE {})", column(Type::Text),
                         random_.chance(0.5) ? "NOT " : "", pick(patterns));
    case 6:
      return fmt::format("({} BETWEEN {} AND {})", column(type), constant(type),
                         constant(type));
    case 7:
      return fmt::format("({})", comparison(type));
    case 8:
      return fmt::format("({} AND {})", condition(depth - 1), condition(depth - 1));
    case 9:
      return fmt::format("({} OR {})", condition(depth - 1), condition(depth - 1));
    case 10:
      return fmt::format("(NOT {})", condition(depth - 1));
    case 11:
      return fmt::format("EXISTS (SELECT 1 FROM u WHERE u.k = {} AND u.w {} {})",
                         random_.below(4), pick(comparisons), constant(Type::Text));
    case 12:
      return fmt::format("({} {}IN ({}, {}, {}))", column(Type::Text),
                         random_.chance(0.5) ? "NOT " : "", pick(char_literals),
                         column(Type::Text), pick(char_literals));
    default:
      if (random_.chance(0.3))
        return fmt::format("({} {}IN (SELECT w FROM u WHERE k = {}))", column(Type::Text),
                           random_.chance(0.5) ? "NOT " : "", random_.below(4));
      return fmt::format("({} {}IN (SELECT t_id FROM u WHERE k = {}))", column(Type::Int),
                         random_.chance(0.5) ? "NOT " : "", random_.below(4));
  }
}

std::string RandomExpressions::moment(Type type) {
  if (random_.chance(0.3)) return leaf(type);
  if (random_.chance(0.4))
    return fmt::format("(CASE WHEN {} THEN {} ELSE {} END)::{}", column(Type::Bool),
                       type == Type::Date ? pick(date_texts) : pick(time_texts),
                       random_.chance(0.5) ? pick(date_texts) : pick(time_texts),
                       name_of(type));
  if (type == Type::Date && random_.chance(0.5)) {
    static constexpr Texts<6> days{"1", "(-1)", "366", "800000", "(-800000)", "2146000000"};
    return random_.chance(0.2) ? fmt::format("({} + {})", column(Type::Int), column(type))
                               : fmt::format("({} {} {})", column(type),
                                             pick(Texts<2>{"+", "-"}), pick(days));
  }
  return type == Type::Date ? fmt::format("({})::date", leaf(Type::Timestamp))
                            : fmt::format("({})::timestamp", leaf(Type::Date));
}

}  // namespace isomer::test
