// SPDX-License-Identifier: MIT
#include "logic/sat.h"

#include <cadical.hpp>

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/inspection.h"

namespace isomer::logic {
namespace {

class Stop : public CaDiCaL::Terminator {
 public:
  explicit Stop(const Budget& budget) : budget_(budget) {}

  bool terminate() override { return budget_.is_exhausted(); }

 private:
  const Budget& budget_;
};

// The solver does not tell its conflicts, but it learns a clause from each.
class ConflictCounter : public CaDiCaL::Learner {
 public:
  bool learning(int) override {
    ++count_;
    return false;  // the clause itself is of no interest
  }

  void learn(int) override {}

  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  std::uint64_t count_ = 0;
};

std::string dimacs(int variables, std::span<const Literal> literals, std::size_t clauses,
                   std::span<const Literal> assumptions) {
  std::string out = fmt::format("p cnf {} {}\n", variables, clauses + assumptions.size());
  for (const Literal literal : literals)
    out += literal == 0 ? std::string("0\n") : fmt::format("{} ", literal);
  if (!assumptions.empty()) out += "c what this question assumes\n";
  for (const Literal assumption : assumptions)
    out += fmt::format("{} 0\n", assumption);
  return out;
}

std::string_view words(SatAnswer answer) {
  if (answer == SatAnswer::Unknown) return "undecided";
  return answer == SatAnswer::Satisfiable ? "satisfiable" : "unsatisfiable";
}

}  // namespace

struct SatSolver::State {
  std::optional<CaDiCaL::Solver> made;
  int variables = 0;
  std::size_t clauses = 0;
  bool keeps_clauses = false;
  std::vector<Literal> kept;  // each clause ends with 0

  // What was counted already.
  int told_variables = 0;
  std::size_t told_clauses = 0;

  // Made when it gets its first clause.  Making one takes as long as thousands of clauses,
  // and most questions about small histories need none.
  CaDiCaL::Solver& solver() {
    if (made) return *made;
    made.emplace();
    made->set("quiet", 1);
    made->set("lucky", 0);  // the lucky phases would overrule prefer()
    // Look at the budget after each decision: with millions of clauses ten take seconds.
    made->set("terminateint", 0);
    // Below thousands of assumptions it would go back by one level at a time, from conflict
    // to conflict, and never get to a decision.
    made->set("chrono", 0);
    return *made;
  }

  SatAnswer solve(const Budget& budget) {
    if (!made) return SatAnswer::Satisfiable;
    Stop stop(budget);
    solver().connect_terminator(&stop);
    const int status = solver().solve();
    solver().disconnect_terminator();
    if (status == 10) return SatAnswer::Satisfiable;
    return status == 20 ? SatAnswer::Unsatisfiable : SatAnswer::Unknown;
  }

  void tell(Inspection& inspection, const SolverQuestion& question, std::uint64_t conflicts,
            std::span<const Literal> assumptions) {
    if (variables == 0 && clauses == 0) return;  // there was nothing to ask
    inspection.count("SAT calls");
    inspection.count("SAT conflicts", conflicts);
    inspection.count("SAT variables",
                     static_cast<std::uint64_t>(variables - told_variables));
    inspection.count("SAT clauses", clauses - told_clauses);
    told_variables = variables;
    told_clauses = clauses;
    const auto script = [&] { return dimacs(variables, kept, clauses, assumptions); };
    if (keeps_clauses)
      inspection.add_question(question, script);
    else
      inspection.add_question(question, {});
  }
};

SatSolver::SatSolver() : state_(std::make_unique<State>()) {}

SatSolver::~SatSolver() = default;

Literal SatSolver::new_variable() {
  return ++state_->variables;
}

void SatSolver::keep_clauses_for(const Budget& budget) {
  ISOMER_ASSERT(state_->clauses == 0);
  if (budget.inspection() != nullptr && budget.inspection()->keeps_questions())
    state_->keeps_clauses = true;
}

void SatSolver::add_clause(std::span<const Literal> clause) {
  for (const Literal literal : clause)
    state_->solver().add(literal);
  state_->solver().add(0);
  ++state_->clauses;
  if (!state_->keeps_clauses) return;
  state_->kept.insert(state_->kept.end(), clause.begin(), clause.end());
  state_->kept.push_back(0);
}

void SatSolver::prefer(Literal literal) {
  state_->solver().phase(literal);
}

SatAnswer SatSolver::solve(const Budget& budget, std::span<const Literal> assumptions) {
  for (const Literal assumption : assumptions)
    state_->solver().assume(assumption);
  Inspection* const inspection = budget.inspection();
  if (inspection == nullptr) return state_->solve(budget);
  const Stopwatch stopwatch;
  ConflictCounter conflicts;
  if (state_->made) state_->made->connect_learner(&conflicts);
  const SatAnswer answer = state_->solve(budget);
  if (state_->made) state_->made->disconnect_learner();
  state_->tell(
      *inspection,
      {.solver = "SAT",
       .ending = "cnf",
       .size = fmt::format("{} variables, {} clauses, {} assumptions", state_->variables,
                           state_->clauses, assumptions.size()),
       .answer = fmt::format("{} after {} conflicts", words(answer), conflicts.count()),
       .seconds = stopwatch.seconds()},
      conflicts.count(), assumptions);
  return answer;
}

bool SatSolver::is_true(Literal literal) const {
  // Without a clause all variables are false, as CaDiCaL has those that are in none.
  return state_->made ? state_->solver().val(literal) > 0 : literal < 0;
}

bool SatSolver::is_failed(Literal assumption) const {
  return state_->solver().failed(assumption);
}

}  // namespace isomer::logic
