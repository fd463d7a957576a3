// SPDX-License-Identifier: MIT
#include "logic/term_solver.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include <unistd.h>

#include "support/effort.h"
#include "unit/logic/random_terms.h"

namespace isomer::logic {
namespace {

struct TermSolverTest : testing::Test {
  Terms terms;

  Term of(std::int64_t value) { return terms.integer(value); }
};

TEST_F(TermSolverTest, finds_values_and_evaluates_other_terms) {
  const Term x = terms.variable("x", TermSort::Int);
  const Term y = terms.variable("y", TermSort::Int);
  const Term r = terms.variable("r", TermSort::Real);
  TermSolver solver(terms);
  solver.add(terms.same(terms.sum(x, y), of(10)));
  solver.add(terms.same(terms.difference(x, y), of(4)));
  solver.add(terms.same(terms.product(r, terms.number("3", TermSort::Real)),
                        terms.number("1", TermSort::Real)));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable) << solver.why_unknown();
  EXPECT_EQ(solver.number(x), "7");
  EXPECT_EQ(solver.number(y), "3");
  EXPECT_EQ(solver.number(r), "1/3");
  EXPECT_EQ(solver.number(terms.divide(terms.minus(x), of(2))), "-3");
  EXPECT_TRUE(solver.truth(terms.less(y, x)));
  const Term later = terms.variable("later", TermSort::Int);
  EXPECT_EQ(solver.number(terms.difference(later, later)), "0");
  EXPECT_GT(solver.formula_size(), 5U);
  EXPECT_NE(solver.script().find("(check-sat)"), std::string::npos);
}

TEST_F(TermSolverTest, finds_the_case_that_is_possible) {
  const Term x = terms.variable("x", TermSort::Int);
  const Term y = terms.variable("y", TermSort::Int);
  TermSolver solver(terms);
  solver.add(terms.same(x, of(3)));
  solver.add(terms.less(x, y));
  const std::vector cases{terms.same(x, of(4)), terms.less(y, of(4)), terms.same(y, of(6)),
                          terms.less(y, x)};
  const auto answer = solver.solve_cases(cases, Budget(60.0), 10'000'000);
  ASSERT_EQ(answer.answer, SatAnswer::Satisfiable) << solver.why_unknown();
  EXPECT_EQ(answer.possible, 2U);
  EXPECT_EQ(solver.number(x), "3");
  EXPECT_EQ(solver.number(y), "6");
}

// The preparation finds out that such a case is false, and must not forget it.
TEST_F(TermSolverTest, finds_no_case_that_is_impossible) {
  const Term x = terms.variable("x", TermSort::Int);
  const Term text = terms.variable("text", TermSort::Text);
  TermSolver solver(terms);
  solver.add(terms.same(x, of(3)));
  const std::vector cases{terms.same(x, of(4)), terms.less(x, of(3)),
                          terms.less(text, terms.text(""))};
  EXPECT_EQ(solver.solve_cases(cases, Budget(60.0), 10'000'000).answer,
            SatAnswer::Unsatisfiable);
  EXPECT_EQ(solver.solve_cases(cases, Budget(60.0), 0).answer, SatAnswer::Unknown);
}

TEST_F(TermSolverTest, assumptions_hold_for_one_question) {
  const Term x = terms.variable("x", TermSort::Int);
  TermSolver solver(terms);
  solver.add(terms.less(x, of(5)));
  EXPECT_EQ(solver.solve(std::array{terms.less(of(5), x)}, Budget(60.0)),
            SatAnswer::Unsatisfiable);
  EXPECT_EQ(solver.solve(std::array{terms.less(of(3), x)}, Budget(60.0)),
            SatAnswer::Satisfiable);
  EXPECT_EQ(solver.number(x), "4");
  solver.add(terms.less(x, of(4)));
  EXPECT_EQ(solver.solve(std::array{terms.less(of(3), x)}, Budget(60.0)),
            SatAnswer::Unsatisfiable);
}

TEST_F(TermSolverTest, division_is_towards_zero) {
  const Term x = terms.variable("x", TermSort::Int);
  const Term y = terms.variable("y", TermSort::Int);
  for (const std::int64_t a : {-7, 7})
    for (const std::int64_t b : {-2, 2}) {
      TermSolver solver(terms);
      solver.add(terms.same(x, of(a)));
      solver.add(terms.same(y, of(b)));
      ASSERT_EQ(
          solver.solve(std::array{terms.same(terms.divide(x, y), of(a / b))}, Budget(60.0)),
          SatAnswer::Satisfiable);
      EXPECT_EQ(solver.solve(
                    std::array{terms.negation(terms.same(terms.modulo(x, y), of(a % b)))},
                    Budget(60.0)),
                SatAnswer::Unsatisfiable);
    }
}

TEST_F(TermSolverTest, a_quotient_by_zero_is_any_value) {
  const Term x = terms.variable("x", TermSort::Int);
  const Term y = terms.variable("y", TermSort::Int);
  TermSolver solver(terms);
  solver.add(terms.same(y, of(0)));
  solver.add(terms.same(terms.divide(x, y), of(42)));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable) << solver.why_unknown();
  EXPECT_EQ(solver.number(terms.divide(x, y)), "42");
}

TEST_F(TermSolverTest, functions_are_functions) {
  const TermFunction lower = terms.function("lower", {TermSort::Text}, TermSort::Text);
  const Term s = terms.variable("s", TermSort::Text);
  const Term t = terms.variable("t", TermSort::Text);
  const Term of_s = terms.apply(lower, std::array{s});
  const Term of_t = terms.apply(lower, std::array{t});
  const Term constant = terms.text("mia");
  TermSolver solver(terms);
  solver.add(terms.negation(terms.same(of_s, of_t)));
  solver.add(terms.same(of_s, constant));
  EXPECT_EQ(solver.solve(std::array{terms.same(s, t)}, Budget(60.0)),
            SatAnswer::Unsatisfiable);
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable);
  EXPECT_EQ(solver.text(of_s), "mia");
  EXPECT_NE(solver.text(of_t), "mia");
  EXPECT_NE(solver.text(s), solver.text(t));
}

TEST_F(TermSolverTest, texts_come_back_in_order) {
  std::vector<Term> chain;
  for (int i = 0; i < 40; ++i)
    chain.push_back(terms.variable("t", TermSort::Text));
  chain[5] = terms.text("logic");
  chain[8] = terms.text("logic1");
  chain[9] = terms.text("logic2");
  chain[30] = terms.text("z");
  TermSolver solver(terms);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i)
    solver.add(terms.less(chain[i], chain[i + 1]));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable);
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    ASSERT_TRUE(solver.text(chain[i]).has_value());
    EXPECT_LT(*solver.text(chain[i]), *solver.text(chain[i + 1])) << i;
  }
  EXPECT_EQ(solver.text(chain[8]), "logic1");
}

TEST_F(TermSolverTest, nothing_is_before_the_empty_text) {
  const Term s = terms.variable("s", TermSort::Text);
  const Term t = terms.variable("t", TermSort::Text);
  const Term empty = terms.text("");
  TermSolver solver(terms);
  solver.add(terms.less(s, t));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable);
  EXPECT_EQ(solver.solve(std::array{terms.same(t, empty)}, Budget(60.0)),
            SatAnswer::Unsatisfiable);
}

TEST_F(TermSolverTest, texts_are_not_empty_without_need) {
  const Term s = terms.variable("s", TermSort::Text);
  const Term t = terms.variable("t", TermSort::Text);
  const Term constant = terms.text("m");
  TermSolver solver(terms);
  solver.add(terms.less(s, t));
  solver.add(terms.less(t, constant));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable);
  EXPECT_NE(solver.text(s), "");
}

TEST_F(TermSolverTest, has_no_text_where_nothing_printable_is) {
  const Term s = terms.variable("s", TermSort::Text);
  const Term below = terms.text("a");
  const Term above = terms.text("a ");
  TermSolver solver(terms);
  solver.add(terms.less(below, s));
  EXPECT_EQ(solver.solve(std::array{terms.less(s, above)}, Budget(60.0)),
            SatAnswer::Unsatisfiable);
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable);
  EXPECT_GE(solver.text(s), "a ");
}

TEST_F(TermSolverTest, irrational_numbers_are_no_answer) {
  const Term r = terms.variable("r", TermSort::Real);
  TermSolver solver(terms);
  solver.add(terms.same(terms.product(r, r), terms.number("2", TermSort::Real)));
  EXPECT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Unknown);
  EXPECT_NE(solver.why_unknown(), "");
}

TEST_F(TermSolverTest, large_numbers_are_exact) {
  const Term x = terms.variable("x", TermSort::Int);
  const Term large = terms.number(std::string(50, '9'), TermSort::Int);
  TermSolver solver(terms);
  solver.add(terms.less(large, x));
  solver.add(terms.less(x, terms.sum(large, of(2))));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable) << solver.why_unknown();
  EXPECT_EQ(solver.number(x), "1" + std::string(50, '0'));
}

// Fifty squarings of ten have a quadrillion digits.
TEST_F(TermSolverTest, numbers_of_many_digits_are_not_computed) {
  const Term x = terms.variable("x", TermSort::Int);
  Term power = x;
  for (int i = 0; i < 50; ++i)
    power = terms.product(power, power);
  const Term is_small = terms.less(x, of(11));
  TermSolver solver(terms);
  solver.add(terms.same(x, of(10)));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable) << solver.why_unknown();
  EXPECT_EQ(solver.number(terms.choose(is_small, x, power)), "10");
  EXPECT_FALSE(
      solver.truth(terms.both(terms.less(power, of(7)), terms.negation(is_small))));
  EXPECT_TRUE(solver.has_all_values());
  EXPECT_FALSE(solver.truth(terms.less(power, of(7)))) << "any value";
  EXPECT_FALSE(solver.has_all_values());
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable);
  EXPECT_TRUE(solver.has_all_values());
}

TEST_F(TermSolverTest, numbers_of_hundreds_of_digits_are_exact) {
  const Term x = terms.variable("x", TermSort::Int);
  Term power = x;
  for (int i = 0; i < 9; ++i)
    power = terms.product(power, power);
  TermSolver solver(terms);
  solver.add(terms.same(x, of(10)));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable) << solver.why_unknown();
  EXPECT_EQ(solver.number(power), "1" + std::string(512, '0'));
  EXPECT_TRUE(solver.truth(terms.less(x, power)));
  EXPECT_FALSE(solver.truth(terms.same(terms.sum(power, of(1)), power)));
  EXPECT_TRUE(solver.has_all_values());
}

TEST_F(TermSolverTest, chains_of_choices_may_be_deep) {
  Term chain = terms.variable("x", TermSort::Int);
  std::vector<Term> conditions;
  for (int i = 0; i < 3000; ++i) {
    conditions.push_back(terms.variable("c", TermSort::Bool));
    chain = terms.choose(conditions.back(), of(i), chain);
  }
  TermSolver solver(terms);
  solver.add(terms.same(chain, of(70)));
  for (std::size_t i = 100; i < conditions.size(); ++i)
    solver.add(terms.negation(conditions[i]));
  ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable) << solver.why_unknown();
  EXPECT_EQ(solver.number(chain), "70");
}

// The solver's own value of a term, by a variable that is equal to it, and the value that
// the term was made with.
TEST(RandomTermSolverTest, agrees_with_plain_evaluation) {
  for (std::uint64_t seed = 1; seed <= effort(60U, 4U); ++seed) {
    RandomTerms random(seed);
    random.grow(80);
    const std::size_t assignment = seed % RandomTerms::assignments;
    std::vector<std::pair<Term, std::size_t>> results;
    std::vector<Term> facts{random.chosen(assignment)};
    for (std::size_t i = 0; i < random.made.size(); i += 3) {
      const Term made = random.made[i].first;
      if (random.terms.sort(made) == TermSort::Text || random.has_function(made)) continue;
      const Term result = random.terms.variable("result", random.terms.sort(made));
      facts.push_back(random.terms.same(result, made));
      results.emplace_back(result, i);
    }
    TermSolver solver(random.terms);
    for (const Term fact : facts)
      solver.add(fact);
    ASSERT_EQ(solver.solve({}, Budget(60.0)), SatAnswer::Satisfiable)
        << seed << ": " << solver.why_unknown();
    for (const auto& [result, i] : results) {
      const TermValue& expected = random.made[i].second[assignment];
      if (const bool* truth = std::get_if<bool>(&expected))
        ASSERT_EQ(solver.truth(result), *truth) << "seed " << seed << ", term " << i;
      else
        ASSERT_EQ(solver.number(result), to_text(std::get<Rational>(expected)))
            << "seed " << seed << ", term " << i;
    }
  }
}

TEST(RandomTermSolverTest, answers_by_cases_as_at_once) {
  std::size_t possible = 0;
  std::size_t impossible = 0;
  for (std::uint64_t seed = 1; seed <= effort(200U, 10U); ++seed) {
    RandomTerms random(seed);
    random.grow(60);
    std::vector<Term> some;
    for (std::size_t i = random.made.size(); i-- > 0 && some.size() < 8;)
      if (random.terms.sort(random.made[i].first) == TermSort::Bool)
        some.push_back(random.made[i].first);
    TermSolver solver(random.terms);
    for (std::size_t i = 4; i < some.size(); ++i)
      solver.add(some[i]);
    const std::vector cases(some.begin(), some.begin() + 4);
    const SatAnswer at_once =
        solver.solve(std::array{random.terms.any(cases)}, Budget(60.0), 1'000'000);
    const auto by_case = solver.solve_cases(cases, Budget(60.0), 1'000'000);
    if (at_once == SatAnswer::Unknown || by_case.answer == SatAnswer::Unknown) continue;
    ASSERT_EQ(by_case.answer, at_once) << "seed " << seed;
    ++(at_once == SatAnswer::Satisfiable ? possible : impossible);
    if (at_once == SatAnswer::Satisfiable) {
      ASSERT_TRUE(solver.truth(cases[by_case.possible])) << "seed " << seed;
    }
  }
  EXPECT_GT(possible, effort(20U, 0U));
  EXPECT_GT(impossible, effort(20U, 0U));
}

// Pigeons: too many for any time that is given here.
struct PigeonTest : TermSolverTest {
  PigeonTest() {
    constexpr std::size_t holes = 14;
    std::vector<std::vector<Term>> is_in(holes + 1);
    for (auto& pigeon : is_in)
      for (std::size_t i = 0; i < holes; ++i)
        pigeon.push_back(terms.variable("p", TermSort::Bool));
    for (const auto& pigeon : is_in)
      solver.add(terms.any(pigeon));
    for (std::size_t i = 0; i < is_in.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (std::size_t hole = 0; hole < holes; ++hole)
          solver.add(terms.negation(terms.both(is_in[i][hole], is_in[j][hole])));
  }

  TermSolver solver{terms};
};

TEST_F(PigeonTest, gives_up_in_time_and_can_be_asked_again) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(solver.solve({}, Budget(0.3)), SatAnswer::Unknown);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(solver.why_unknown(), "timeout");
  EXPECT_EQ(solver.solve(std::array{terms.truth(false)}, Budget(60.0)),
            SatAnswer::Unsatisfiable);
}

std::atomic<bool> interrupted{false};

// The solver has a handler for SIGINT of its own, which would keep the signal from ours.
TEST_F(PigeonTest, leaves_interruptions_to_the_budget) {
  const auto before = std::signal(SIGINT, [](int) { interrupted = true; });
  std::jthread person([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    kill(getpid(), SIGINT);
  });
  EXPECT_EQ(solver.solve({}, Budget(30.0, &interrupted)), SatAnswer::Unknown);
  person.join();
  EXPECT_TRUE(interrupted);
  EXPECT_EQ(solver.why_unknown(), "interrupted");
  std::signal(SIGINT, before);
}

}  // namespace
}  // namespace isomer::logic
