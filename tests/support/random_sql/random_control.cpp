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
    return "DECLARE\n  x int := 1;\n  n int := 0;\n  w int := 0;\n  q record;\nBEGIN\n" +
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
    if (loops_ == 0) return assignment();
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
    switch (random_.below(4)) {
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

  std::string ending() {
    switch (random_.below(4)) {
      case 0:
        return fmt::format("  IF {} THEN\n  RETURN n;\n  END IF;\n", condition());
      case 1:
        return fmt::format("  ASSERT {} OR x < 40, 'too much';\n", condition());
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
    switch (random_.below(7)) {
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
