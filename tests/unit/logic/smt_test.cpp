// SPDX-License-Identifier: MIT
#include "logic/smt.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <vector>

namespace isomer::logic {
namespace {

// A strict order without a greatest element.
struct EndlessOrder {
  Smt smt;
  SmtSort point = smt.sort("Point");
  SmtRelation before = smt.relation("before", std::array{point, point});
  std::vector<SmtFormula> facts;

  EndlessOrder() {
    const SmtElement a = smt.variable(point);
    const SmtElement b = smt.variable(point);
    const SmtElement c = smt.variable(point);
    const auto less = [this](SmtElement x, SmtElement y) {
      return smt.holds(before, std::array{x, y});
    };
    facts.push_back(smt.forall(std::array{a}, smt.negation(less(a, a))));
    facts.push_back(smt.forall(std::array{a, b, c},
                               smt.implies(smt.both(less(a, b), less(b, c)), less(a, c))));
    facts.push_back(smt.forall(std::array{a}, smt.exists(std::array{b}, less(a, b))));
  }
};

TEST(SmtTest, refutes_a_cycle_in_an_order) {
  EndlessOrder order;
  const SmtElement a = order.smt.constant("a", order.point);
  const SmtElement b = order.smt.constant("b", order.point);
  order.facts.push_back(order.smt.holds(order.before, std::array{a, b}));
  EXPECT_NE(order.smt.solve(order.facts, Budget(2.0), 100000), SatAnswer::Unsatisfiable);
  order.facts.push_back(order.smt.holds(order.before, std::array{b, a}));
  EXPECT_EQ(order.smt.solve(order.facts, Budget(120.0)), SatAnswer::Unsatisfiable);
}

TEST(SmtTest, finds_a_finite_model) {
  Smt smt;
  const SmtSort point = smt.sort("Point");
  const SmtRelation red = smt.relation("red", std::array{point});
  const SmtElement a = smt.constant("a", point);
  const SmtElement b = smt.constant("b", point);
  const std::array facts{smt.holds(red, std::array{a}),
                         smt.negation(smt.holds(red, std::array{b}))};
  EXPECT_EQ(smt.solve(facts, Budget()), SatAnswer::Satisfiable);
}

TEST(SmtTest, gives_up_in_time_and_can_be_asked_again) {
  EndlessOrder order;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(order.smt.solve(order.facts, Budget(0.2)), SatAnswer::Unknown);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  order.facts.push_back(order.smt.truth(false));
  EXPECT_EQ(order.smt.solve(order.facts, Budget(120.0)), SatAnswer::Unsatisfiable);
}

TEST(SmtTest, writes_the_question_for_other_solvers) {
  const EndlessOrder order;
  const std::string script = order.smt.script(order.facts);
  EXPECT_NE(script.find("(declare-sort Point 0)"), std::string::npos) << script;
  EXPECT_NE(script.find("(check-sat)"), std::string::npos) << script;
}

}  // namespace
}  // namespace isomer::logic
