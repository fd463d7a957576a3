// SPDX-License-Identifier: MIT
#include "support/random_sql/random_control.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace isomer::test {
namespace {

class Control {
 public:
  explicit Control(Random& random) : random_(random) {}

  std::string body() {
    return "DECLARE\n  x int := 1;\n  n int := 0;\n  w int := 0;\n  q record;\n"
           "  l t%ROWTYPE;\nBEGIN\n" +
           block(3) + "  RETURN x;\nEND";
  }

 private:
  template <std::size_t N>
  std::string pick(const std::array<std::string_view, N>& texts) {
    return std::string(texts[random_.below(N)]);
  }

  int between(int first, int last) {
    return first +
           static_cast<int>(random_.below(static_cast<std::uint64_t>(last - first) + 1));
  }

  std::string block(int depth) {
    std::string out;
    for (int i = between(1, 3); i > 0; --i)
      out += statement(depth);
    return out;
  }

  std::string condition() {
    if (random_.chance(0.1))
      return pick(std::array<std::string_view, 5>{"NULL", "NULL::boolean", "x > NULL",
                                                  "'true'", "NOT NULL"});
    return fmt::format("{} {} {}", pick(std::array<std::string_view, 3>{"x", "x % 3", "n"}),
                       pick(std::array<std::string_view, 4>{"=", "<", ">", "<>"}),
                       between(-2, 9));
  }

  std::string assignment() {
    static constexpr std::array<std::string_view, 8> assignments{
        "x := x + 1",        "x := x * 2 - n",           "n := n + x",
        "x := -x",           "x := x / (n - 3)",         "n := x % 5",
        "x := x * x + 1000", "x := coalesce(NULL, x, 2)"};
    return "  " + pick(assignments) + ";\n";
  }

  // Inside a loop these may leave it or start its next round.
  std::string jump() {
    if (loops_ == 0) return random_.chance(0.3) ? taking() : assignment();
    return fmt::format("  {} WHEN {};\n",
                       pick(std::array<std::string_view, 2>{"EXIT", "CONTINUE"}),
                       condition());
  }

  std::string branch(int depth) {
    return fmt::format("  IF {} THEN\n{}  ELSIF {} THEN\n{}  ELSE\n{}  END IF;\n",
                       condition(), block(depth - 1), condition(), block(depth - 1),
                       block(depth - 1));
  }

  std::string choice(int depth) {
    const std::string otherwise =
        random_.chance(0.5) ? "  ELSE\n" + block(depth - 1) : std::string();
    return fmt::format("  CASE n\n  WHEN {} THEN\n{}  WHEN {}, {} THEN\n{}{}  END CASE;\n",
                       between(0, 1), block(depth - 1), between(2, 4), between(5, 9),
                       block(depth - 1), otherwise);
  }

  std::string loop(int depth) {
    ++loops_;
    const std::string inside = block(depth - 1);
    --loops_;
    switch (random_.below(5)) {
      case 4:
        return fmt::format("  WHILE w < {} AND NULL LOOP\n{}  END LOOP;\n", between(0, 9),
                           inside);
      case 0:
        return fmt::format("  FOR i IN {}..{} LOOP\n  x := x + i;\n{}  END LOOP;\n",
                           between(-2, 2), between(0, 4), inside);
      case 1:
        return fmt::format(
            "  FOR i IN REVERSE {}..{} BY 2 LOOP\n  x := x - i;\n{}  END LOOP;\n",
            between(2, 6), between(-1, 2), inside);
      case 2:
        return fmt::format(
            "  FOR q IN SELECT k, j FROM u WHERE k < {} ORDER BY k, j LOOP\n"
            "  x := x + q.k * q.j;\n{}  END LOOP;\n",
            between(1, 4), inside);
      default:
        // Nothing else changes w, so this ends.
        return fmt::format("  WHILE w < {} LOOP\n  w := w + 1;\n{}  END LOOP;\n",
                           between(1, 6), inside);
    }
  }

  // Rows with more or fewer columns than there are variables.
  std::string taking() {
    const int id = between(1, 9);
    switch (random_.below(9)) {
      case 0:
        return fmt::format("  SELECT a % 100 INTO x, n FROM t WHERE id = {};\n", id);
      case 1:
        return fmt::format("  SELECT c, id, a / (id - 5) INTO x FROM t WHERE id = {};\n",
                           id);
      case 2:
        return fmt::format("  SELECT id INTO STRICT n, x FROM t WHERE id = {};\n", id);
      case 3:
        return fmt::format("  UPDATE t SET c = c WHERE id = {} RETURNING c, id INTO n;\n",
                           id);
      case 4:
        return fmt::format("  UPDATE t SET c = c WHERE id = {} RETURNING c INTO n, x;\n",
                           id);
      case 5:
        return fmt::format(
            "  SELECT id, c INTO l FROM t WHERE id = {};\n  x := coalesce(l.a, -1) + "
            "coalesce(l.c, 0);\n",
            id);
      case 7:
        return fmt::format(
            "  SELECT id, a, b, m, m, s, s INTO l FROM t WHERE id = {};\n  l.c6 := l.v || "
            "'b ';\n  l.n := l.n * 3.333;\n  x := length(concat(l.c6, l.v, l.n));\n",
            id);
      case 6:
        return fmt::format(
            "  FOR x, n IN SELECT k FROM u WHERE k < {} ORDER BY k, j LOOP\n  w := w + "
            "coalesce(n, 1);\n  END LOOP;\n  x := 1;\n  n := 0;\n",
            between(1, 4));
      default:
        return fmt::format("  SELECT INTO x, n id, c, s FROM t WHERE id = {};\n", id);
    }
  }

  std::string raising() {
    static constexpr std::array<std::string_view, 24> forms{
        "RAISE division_by_zero",
        "RAISE \"unique_violation\"",
        "RAISE SQLSTATE '22012'",
        "RAISE EXCEPTION SQLSTATE 'ABCDE'",
        "RAISE EXCEPTION 'x is %', x USING ERRCODE = 'no_data_found'",
        "RAISE 'n' USING ERRCODE = '23514', DETAIL = 'x' || x",
        "RAISE 'n' USING ERRCODE = 'nonsense'",
        "RAISE 'n' USING ERRCODE = 'UNIQUE_VIOLATION'",
        "RAISE 'n' USING ERRCODE = '2350'",
        "RAISE 'n' USING ERRCODE = '00000'",
        "RAISE 'n' USING ERRCODE = NULL",
        "RAISE USING MESSAGE = 'm', ERRCODE = 'check_violation'",
        "RAISE 'n' USING MESSAGE = 'm'",
        "RAISE unique_violation USING ERRCODE = '23514'",
        "RAISE unique_violation USING MESSAGE = 'm' || x, HINT = 'h'",
        "RAISE 'n' USING DETAIL = 'a', DETAIL = 'b'",
        "RAISE 'n' USING HINT = nullif(x, 1)::text",
        "RAISE NOTICE 'n is %', n / (x - 1)",
        "RAISE WARNING 'w' USING ERRCODE = 'nonsense'",
        "RAISE NOTICE unique_violation",
        "RAISE INFO 'i %%' USING HINT = NULL",
        "RAISE LOG 'l % %', x, (SELECT s FROM t WHERE id = 3)",
        "RAISE EXCEPTION '%', n / (x - 1) USING ERRCODE = 'nonsense'",
        "RAISE 'n' USING ERRCODE = 12345"};
    return pick(forms);
  }

  std::string ending() {
    switch (random_.below(6)) {
      case 4:
        return fmt::format("  IF {} THEN\n  {};\n  END IF;\n", condition(), raising());
      case 5:
        return fmt::format("  {};\n", raising());
      case 0:
        return fmt::format("  IF {} THEN\n  RETURN n;\n  END IF;\n", condition());
      case 1:
        return fmt::format("  ASSERT {}{}, 'too much';\n", condition(),
                           random_.chance(0.8) ? " OR x < 40" : "");
      case 2:
        return fmt::format(
            "  IF {} THEN\n  RAISE EXCEPTION 'x is %, n is %', x, n;\n  END IF;\n",
            condition());
      default:
        return fmt::format("  SELECT c INTO STRICT n FROM t WHERE id = {} FOR UPDATE;\n",
                           between(1, 9));
    }
  }

  std::string statement(int depth) {
    if (depth == 0) return random_.chance(0.2) ? jump() : assignment();
    switch (random_.below(8)) {
      case 7:
        return taking();
      case 0:
        return branch(depth);
      case 1:
        return choice(depth);
      case 2:
      case 3:
        return loop(depth);
      case 4:
        return random_.chance(0.5) ? ending() : assignment();
      case 5:
        return jump();
      default:
        return assignment();
    }
  }

  Random& random_;
  int loops_ = 0;  // around the statement
};

}  // namespace

std::string random_control(Random& random) {
  return Control(random).body();
}

}  // namespace isomer::test
