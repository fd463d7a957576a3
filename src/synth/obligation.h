// SPDX-License-Identifier: MIT
// Goals proved from assumptions, in every history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "level/level.h"
#include "level/smt_encode.h"
#include "logic/smt.h"

namespace isomer::synth {

class Obligations {
 public:
  // `assumptions` and `goals` are formulas of `problem` without free variables.
  Obligations(level::Level& problem, std::vector<level::TermId> assumptions,
              std::vector<level::TermId> goals, const Budget& budget);

  // How many of the goals could be proved, in order; stops at the first that could not.
  std::size_t proved_count();

  [[nodiscard]] const std::vector<level::TermId>& lemmas() const { return lemmas_; }

  [[nodiscard]] std::size_t question_count() const { return question_count_; }

 private:
  bool follows(level::TermId goal, std::uint32_t steps_max);
  void assume(level::TermId formula);
  void prove_lemmas(level::TermId goal);
  void prove_closure_bounds(level::TermId relation,
                            const std::vector<level::TermId>& candidates);

  level::Level& problem_;
  std::vector<level::TermId> goals_;
  const Budget& budget_;
  logic::Smt smt_;
  level::SmtEncoder encoder_;
  std::set<level::TermId> assumed_;
  std::vector<logic::SmtFormula> formulas_;
  std::vector<level::TermId> lemmas_;
  std::set<level::TermId> bounded_;  // closures whose bounds were sought
  std::size_t question_count_ = 0;
};

}  // namespace isomer::synth
