// SPDX-License-Identifier: MIT
#include "synth/execution.h"

#include <algorithm>

#include "base/assert.h"
#include "level/encode.h"
#include "level/eval.h"
#include "logic/finder.h"
#include "logic/relation.h"
#include "synth/universe.h"

namespace isomer::synth {
namespace {

using level::Axiom;
using logic::Bit;
using logic::Circuit;
using logic::Finder;
using logic::SatAnswer;

class Question {
 public:
  Question(const level::LeastForm& form, const Given<Truth>& given)
      : level_(form.level), given_(given), finder_(circuit_) {
    const Given<Bit> known = level::constant_given(given);
    std::vector<Bit> facts;
    execution_ = level::open_execution(circuit_, level_, known, facts);
    axioms_ = level::encode_axioms(circuit_, level_, known, execution_);
    for (const Bit fact : facts)
      finder_.require(fact);
    prefer_given_order();
  }

  ExecutionAnswer answer(const Budget& budget, bool explain) {
    const SatAnswer answer = finder_.solve(budget, axioms_);
    if (answer == SatAnswer::Unknown) return OutOfTime{};
    if (answer == SatAnswer::Unsatisfiable)
      return explain ? failing_axioms(budget) : NoExecution{};
    Execution<Truth> found = concrete(finder_, execution_);
    ISOMER_ASSERT(level::failing_axiom(level_, given_, found) == nullptr);
    return found;
  }

 private:
  // A counterexample near the order of the transactions teaches most.
  void prefer_given_order() {
    for (std::size_t w = 0; w < execution_.size(); ++w)
      if (level_.witnesses[w].is_total_order)
        for (const logic::Relation& table : execution_[w])
          for (std::size_t i = 0; i < table.rows(); ++i)
            for (std::size_t j = i + 1; j < table.columns(); ++j)
              if (circuit_.inputs(table(i, j).node()).empty()) finder_.prefer(table(i, j));
  }

  // By deletion, the level's own axioms kept longest: they say most.
  ExecutionAnswer failing_axioms(const Budget& budget) {
    std::vector<std::size_t> core;
    for (std::size_t i = 0; i < axioms_.size(); ++i)
      if (axioms_[i] != logic::true_bit) core.push_back(i);
    for (std::size_t at = 0; at < core.size();) {
      std::vector<std::size_t> rest;
      std::vector<Bit> assumed;
      for (const std::size_t i : core)
        if (i != core[at]) {
          rest.push_back(i);
          assumed.push_back(axioms_[i]);
        }
      const SatAnswer answer = finder_.solve(budget, assumed);
      if (answer == SatAnswer::Unknown) return OutOfTime{};
      if (answer == SatAnswer::Unsatisfiable)
        core = rest;
      else
        ++at;
    }
    return named(core);
  }

  [[nodiscard]] NoExecution named(const std::vector<std::size_t>& core) const {
    NoExecution out{.axioms = {}, .is_base = true};
    for (const std::size_t i : core) {
      const Axiom& axiom = level_.axioms[i];
      if (!axiom.is_base) out.is_base = false;
      if (std::ranges::find(out.axioms, axiom.name) == out.axioms.end())
        out.axioms.push_back(axiom.name);
    }
    return out;
  }

  const level::Level& level_;
  const Given<Truth>& given_;
  Circuit circuit_;
  Finder finder_;
  Execution<Bit> execution_;
  std::vector<Bit> axioms_;
};

}  // namespace

ExecutionAnswer find_execution(const level::LeastForm& form, const Given<Truth>& given,
                               const Budget& budget, bool explain) {
  return Question(form, given).answer(budget, explain);
}

}  // namespace isomer::synth
