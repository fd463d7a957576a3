// SPDX-License-Identifier: MIT
// Questions to the solver about cycles and paths of dependencies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "audit/chain.h"
#include "logic/term_solver.h"

namespace isomer::audit {

// What a solver was asked, for reports.
struct Effort {
  std::uint64_t questions = 0;
  double slowest_seconds = 0;
};

// A chain in a solver.
class Question {
 public:
  Question(Chain& chain, const Options& options, Effort& effort);

  void require(Term formula);
  logic::SatAnswer ask();

  [[nodiscard]] std::string why_unknown() const { return solver_.why_unknown(); }

  [[nodiscard]] logic::TermSolver& model() { return solver_; }

 private:
  const Options& options_;
  Effort& effort_;
  logic::TermSolver solver_;
};

// Which kinds of dependencies can follow each other in a cycle, by the levels alone.
class Patterns {
 public:
  explicit Patterns(const Plan& plan) : plan_(plan) {}

  // By slot, the kinds that there are statements for: bit k for kind k.
  using Kinds = std::vector<std::uint8_t>;

  // May a cycle of these types have one of the kinds in each slot?  Also true if the budget
  // ends before that is known.
  bool is_possible(const std::vector<std::uint32_t>& types, const Kinds& kinds,
                   const Budget& budget);

 private:
  const Plan& plan_;
  std::map<std::pair<std::vector<std::uint32_t>, Kinds>, bool> known_;
};

// The slots of a cycle and of a path through that many transactions.
std::vector<Chain::Slot> cycle_slots(std::size_t count);
std::vector<Chain::Slot> path_slots(std::size_t count);

// All cycles up to the bound; adds to `result`.
void find_cycles(const Application& application, const Plan& plan, const Options& options,
                 Result& result, Effort& effort);

}  // namespace isomer::audit
