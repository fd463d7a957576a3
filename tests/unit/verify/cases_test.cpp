// SPDX-License-Identifier: MIT
// The cases of a term, together, are the term; and a violation that only a search by cases
// finds in its steps is found.
#include "verify/cases.h"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "logic/term_solver.h"
#include "program/load.h"
#include "support/effort.h"
#include "verify/verify.h"

namespace isomer::verify {
namespace {

using logic::SatAnswer;
using logic::Term;
using logic::Terms;

Term random_term(Terms& terms, Random& random, const std::vector<Term>& variables,
                 unsigned depth) {
  if (depth == 0) {
    const Term out = variables[random.below(variables.size())];
    return random.below(2) == 0 ? out : terms.negation(out);
  }
  std::vector<Term> parts;
  for (std::size_t i = 0; i < 2 + random.below(3); ++i)
    parts.push_back(random_term(terms, random, variables, depth - 1));
  return random.below(2) == 0 ? terms.all(parts) : terms.any(parts);
}

TEST(Cases, of_a_term_are_together_the_term) {
  Random random(3);
  std::size_t split = 0;
  for (std::uint32_t round = 0; round < effort(300U, 50U); ++round) {
    Terms terms;
    std::vector<Term> variables;
    for (int i = 0; i < 8; ++i)
      variables.push_back(terms.variable("x", logic::TermSort::Bool));
    const Term term = random_term(terms, random, variables, 1 + round % 5);
    const std::vector<Term> cases = cases_of(terms, term);
    if (cases.size() > 1) ++split;
    const Term differs = terms.negation(terms.iff(term, terms.any(cases)));
    logic::TermSolver solver(terms);
    EXPECT_EQ(solver.solve(std::array{differs}, {}), SatAnswer::Unsatisfiable);
  }
  EXPECT_GT(split, effort(30U, 5U));
}

TEST(Cases, of_a_conjunction_come_from_its_longest_disjunction) {
  Terms terms;
  std::vector<Term> x;
  for (int i = 0; i < 6; ++i)
    x.push_back(terms.variable("x", logic::TermSort::Bool));
  const Term term = terms.all(
      std::array{x[0], terms.either(x[1], x[2]), terms.any(std::array{x[3], x[4], x[5]})});
  EXPECT_EQ(cases_of(terms, term).size(), 3U);
  EXPECT_EQ(cases_of(terms, x[0]), std::vector{x[0]});
}

// The levels from RC to SER, of which the last three allow no two courses in a slot.
std::string verdicts(std::uint32_t steps_at_once, std::size_t& queries) {
  const auto program =
      program::load_program(ISOMER_SOURCE_DIR "/examples/apps/courseware/any_courses.toml");
  EXPECT_TRUE(program);
  using check::Level;
  Options options;
  options.levels = {Level::RC,  Level::RA, Level::CC, Level::PC,
                    Level::PSI, Level::SI, Level::SER};
  options.steps_at_once = steps_at_once;
  const auto result = verify(*program, options);
  EXPECT_TRUE(result);
  std::string out;
  for (const LevelAnswer& level : result->levels)
    for (const Answer& answer : level.answers) {
      EXPECT_EQ(answer.contradiction, "") << level.level;
      out += answer.verdict == Verdict::Holds      ? 'h'
             : answer.verdict == Verdict::Violated ? 'v'
                                                   : '?';
      queries += answer.queries;
    }
  return out;
}

TEST(Cases, have_the_verdict_of_all_at_once) {
  std::size_t at_once = 0;
  std::size_t by_case = 0;
  EXPECT_EQ(verdicts(100'000'000, at_once), "vvvvhhh");
  EXPECT_EQ(verdicts(1, by_case), "vvvvhhh");
  EXPECT_GT(by_case, at_once) << "nothing was asked case by case";
}

}  // namespace
}  // namespace isomer::verify
