// SPDX-License-Identifier: MIT
// Tells whoever looks on what Z3 was asked: shared by its two adaptors.
#pragma once

#include <z3++.h>

#include <fmt/format.h>

#include "base/inspection.h"

namespace isomer::logic {

// A counter of the solver; 0 if it has none of this name.
inline std::uint64_t statistic(const z3::solver& solver, std::string_view name) {
  const z3::stats stats = solver.statistics();
  for (unsigned i = 0; i < stats.size(); ++i)
    if (stats.is_uint(i) && stats.key(i) == name) return stats.uint_value(i);
  return 0;
}

// Z3 would take SIGINT for itself while it works, end that one question, and nobody else
// would hear of it.
inline void leave_interruptions_to_the_budget(z3::solver& solver) {
  z3::params params(solver.ctx());
  params.set("ctrl_c", false);
  solver.set(params);
}

// Asks the solver by `check()`, and tells it; `write_script()` says what was asked.
template <class Script, class Check>
z3::check_result ask(z3::solver& solver, const Budget& budget, const Script& write_script,
                     const Check& check) {
  leave_interruptions_to_the_budget(solver);
  Inspection* const inspection = budget.inspection();
  if (inspection == nullptr) return check();
  const std::string script = inspection->keeps_questions() ? write_script() : "";
  const Stopwatch stopwatch;
  // Steps are counted for all solvers of a context together.
  const std::uint64_t steps_before = statistic(solver, "rlimit count");
  const z3::check_result result = check();
  const std::uint64_t steps = statistic(solver, "rlimit count") - steps_before;
  const std::uint64_t conflicts = statistic(solver, "conflicts");
  inspection->count("SMT calls");
  inspection->count("SMT conflicts", conflicts);
  inspection->count("SMT steps", steps);
  const std::string_view answer = result == z3::sat     ? "satisfiable"
                                  : result == z3::unsat ? "unsatisfiable"
                                                        : "undecided";
  inspection->add_question(
      {.solver = "SMT",
       .ending = "smt2",
       .size = fmt::format("{} assertions", solver.assertions().size()),
       .answer = fmt::format("{} after {} conflicts", answer, conflicts),
       .seconds = stopwatch.seconds()},
      [&] { return script; });
  return result;
}

inline z3::check_result ask(z3::solver& solver, const Budget& budget) {
  return ask(
      solver, budget, [&] { return solver.to_smt2(); }, [&] { return solver.check(); });
}

}  // namespace isomer::logic
