// SPDX-License-Identifier: MIT
// What --dump keeps is the question: asked again, it has the same answer.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>
#include <z3++.h>

#include "base/inspection.h"
#include "base/random.h"
#include "logic/finder.h"
#include "logic/sat.h"
#include "logic/term_solver.h"

namespace isomer::logic {
namespace {

// A folder for questions, and whoever keeps them there.
class Kept : public testing::Test {
 public:
  ~Kept() override { std::filesystem::remove_all(folder_); }

 protected:
  Kept() : folder_(testing::TempDir() + "question_test") {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    inspection_.emplace(Inspection::Wishes{.dump_folder = folder_.string()});
    budget_ = Budget(60.0).inspected_by(*inspection_);
  }

  [[nodiscard]] std::string file(int number, const std::string& ending) const {
    char name[16];
    std::snprintf(name, sizeof name, "%04d-.", number);
    std::ostringstream out;
    out << std::ifstream(folder_ / (name + ending)).rdbuf();
    return out.str();
  }

  std::filesystem::path folder_;
  std::optional<Inspection> inspection_;
  Budget budget_;
};

SatAnswer answer_of_dimacs(const std::string& text) {
  SatSolver solver;
  std::istringstream lines(text);
  std::string line;
  std::size_t declared = 0;
  std::size_t found = 0;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string first;
    if (line.starts_with("c")) continue;
    if (line.starts_with("p")) {
      int variables = 0;
      words >> first >> first >> variables >> declared;
      for (int i = 0; i < variables; ++i)
        solver.new_variable();
      continue;
    }
    std::vector<Literal> clause;
    for (Literal literal = 0; words >> literal && literal != 0;)
      clause.push_back(literal);
    solver.add_clause(clause);
    ++found;
  }
  EXPECT_EQ(found, declared);
  return solver.solve(Budget(60.0));
}

// Clauses come between questions, and each question assumes something else.
TEST_F(Kept, circuits_can_be_asked_again) {
  constexpr int variables = 20;
  Random random(1);
  int asked = 0;
  std::map<SatAnswer, int> answers;
  for (int round = 0; round < 10; ++round) {
    SatSolver solver(budget_);
    for (int i = 0; i < variables; ++i)
      solver.new_variable();
    const auto literal = [&] {
      const auto variable = static_cast<Literal>(1 + random.next() % variables);
      return random.next() % 2 == 0 ? variable : -variable;
    };
    for (int part = 0; part < 5; ++part) {
      for (int i = 0; i < 18; ++i)
        solver.add_clause(std::vector{literal(), literal(), literal()});
      const std::vector<Literal> assumptions{literal(), literal(), literal()};
      const SatAnswer answer = solver.solve(budget_, assumptions);
      EXPECT_EQ(answer_of_dimacs(file(++asked, "cnf")), answer) << asked;
      ++answers[answer];
    }
  }
  EXPECT_GT(answers[SatAnswer::Satisfiable], 5);
  EXPECT_GT(answers[SatAnswer::Unsatisfiable], 5);
  EXPECT_EQ(inspection_->counters().at("SAT calls"), 50U);
  EXPECT_EQ(inspection_->counters().at("SAT clauses"), 10U * 5 * 18);
  EXPECT_EQ(inspection_->counters().at("SAT variables"), 10U * variables);
  EXPECT_GT(inspection_->counters().at("SAT conflicts"), 0U);
}

// A finder tells its solver in time, and a circuit without anybody who looks on is not
// kept by halves.
TEST_F(Kept, facts_of_a_circuit_can_be_asked_again) {
  Circuit circuit;
  const Bit a = circuit.variable();
  const Bit b = circuit.variable();
  const Bit c = circuit.variable();
  Finder finder(circuit, budget_);
  finder.require(circuit.either(circuit.both(a, b), circuit.both(~a, c)));
  finder.require(~circuit.both(b, c));
  EXPECT_EQ(finder.solve(budget_, std::array{a}), SatAnswer::Satisfiable);
  EXPECT_EQ(finder.solve(budget_, std::array{a, c}), SatAnswer::Unsatisfiable);
  EXPECT_EQ(answer_of_dimacs(file(1, "cnf")), SatAnswer::Satisfiable);
  EXPECT_EQ(answer_of_dimacs(file(2, "cnf")), SatAnswer::Unsatisfiable);
  Finder untold(circuit);
  untold.require(a);
  EXPECT_EQ(untold.solve(budget_), SatAnswer::Satisfiable);
  EXPECT_EQ(file(3, "cnf"), "");
}

z3::check_result answer_of_script(const std::string& text) {
  z3::context context;
  z3::solver solver(context);
  solver.from_string(text.c_str());
  return solver.check();
}

TEST_F(Kept, formulas_can_be_asked_again) {
  Terms terms;
  const Term x = terms.variable("x", TermSort::Int);
  const Term three = terms.number("3", TermSort::Int);
  TermSolver solver(terms);
  solver.add(terms.less(x, three));
  EXPECT_EQ(solver.solve({}, budget_), SatAnswer::Satisfiable);
  EXPECT_EQ(solver.solve(std::array{terms.less(three, x)}, budget_),
            SatAnswer::Unsatisfiable);
  EXPECT_EQ(answer_of_script(file(1, "smt2")), z3::sat);
  EXPECT_EQ(answer_of_script(file(2, "smt2")), z3::unsat);
  EXPECT_EQ(inspection_->counters().at("SMT calls"), 2U);
  EXPECT_GT(inspection_->counters().at("SMT steps"), 0U);
}

}  // namespace
}  // namespace isomer::logic
