// SPDX-License-Identifier: MIT
// To prove that level A implies level B on histories of any size: take any history and
// witnesses that satisfy A's axioms, make witnesses of B out of them, and show that B's
// axioms hold.
//
// The making is a guess (synth/witness_choice.h), a term for each witness of B.  With it
// B's axioms speak of A's witnesses, and each is a first-order goal under first-order
// assumptions: A's axioms, and what is true of every history.  An SMT solver shows that a
// goal cannot fail (synth/obligation.h).
//
// Everything assumed is true of every execution of A, so a proof stands for all histories.
// The converse does not hold: closures are not first-order, the solver gives up, and the
// right guess may not be among those tried.  Not proved therefore says nothing.
#include "synth/prove.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/budget.h"
#include "level/level.h"
#include "level/library.h"
#include "level/rewrite.h"
#include "synth/last_before.h"
#include "synth/obligation.h"
#include "synth/witness_choice.h"

namespace isomer::synth {
namespace {

using level::Level;
using level::Op;
using level::Sort;
using level::TermId;

// What a level demands, carried over to the problem: the shape of its witnesses, then its
// axioms, with the names of both.
struct Demand {
  TermId formula;
  std::string name;
};

std::vector<Demand> demands(const Level& from, Level& problem,
                            const std::vector<TermId>& meanings) {
  level::TermMaker maker(problem);
  level::Import import(from, problem, meanings);
  std::vector<Demand> result;
  for (std::size_t i = 0; i < from.witnesses.size(); ++i) {
    const level::Witness& witness = from.witnesses[i];
    if (!witness.is_total_order) continue;
    TermId shape = maker.formula(Op::TotalOrder, {meanings[i], import(witness.on)});
    if (witness.is_keyed)
      shape =
          maker.make(Op::Forall, {level::Kind::Formula, Sort::Key}, 0, std::array{shape});
    result.push_back({shape, witness.name});
  }
  for (const level::Axiom& axiom : from.axioms)
    if (!axiom.is_shape) result.push_back({import(axiom.formula), axiom.name});
  return result;
}

// The stronger level's own witnesses, as terms.
std::vector<TermId> own_witnesses(Level& problem) {
  level::TermMaker maker(problem);
  std::vector<TermId> result;
  for (std::uint32_t i = 0; i < problem.witnesses.size(); ++i) {
    const TermId key = maker.key_variable(0);
    const std::size_t index_count = problem.witnesses[i].is_keyed ? 1 : 0;
    result.push_back(
        maker.make(Op::Witness, level::txn_relation, i, std::span(&key, index_count)));
  }
  return result;
}

// The witnesses' sets live in the stronger level's terms until now.
void adopt_witnesses(const Level& stronger, Level& problem) {
  problem.witnesses = stronger.witnesses;
  const std::vector<TermId> own = own_witnesses(problem);
  level::Import import(stronger, problem, own);
  for (level::Witness& witness : problem.witnesses)
    if (witness.is_total_order) witness.on = import(witness.on);
}

void append(std::vector<TermId>& formulas, const std::vector<Demand>& more) {
  for (const Demand& demand : more)
    formulas.push_back(demand.formula);
}

class ImplicationProver {
 public:
  ImplicationProver(const Level& stronger, const Level& weaker, const Budget& budget)
      : weaker_(weaker),
        budget_(budget),
        witness_count_(static_cast<std::uint32_t>(stronger.witnesses.size())) {
    adopt_witnesses(stronger, problem_);
    append(assumptions_, demands(stronger, problem_, own_witnesses(problem_)));
    axioms_ = assumptions_;
    append(assumptions_, demands(history_facts(), problem_, {}));
  }

  std::variant<Proved, NotProved> prove() {
    for (const WitnessChoice& choice : witness_choices(weaker_, problem_, axioms_)) {
      if (budget_.is_exhausted()) break;
      if (try_choice(choice)) return proved_;
    }
    return NotProved{budget_.is_exhausted() ? budget_.reason() : reason_};
  }

  [[nodiscard]] std::size_t question_count() const { return question_count_; }

 private:
  bool try_choice(const WitnessChoice& choice) {
    if (!all_proved(assumptions_, choice.conditions)) return false;
    std::vector<TermId> assumptions = assumptions_;
    assumptions.insert(assumptions.end(), choice.assumptions.begin(),
                       choice.assumptions.end());
    const std::vector<Demand> goals = demands(weaker_, problem_, choice.meanings);
    std::vector<TermId> formulas;
    append(formulas, goals);
    if (all_proved(assumptions, formulas)) {
      proved_.choice = choice.text;
      return true;
    }
    if (try_existentials(choice, assumptions, formulas)) return true;
    if (proved_count_ >= proved_count_best_) {
      proved_count_best_ = proved_count_ + 1;
      reason_ = fmt::format("{}{}{} could not be shown", choice.text.empty() ? "" : "with ",
                            choice.text.empty() ? "" : choice.text + ", ",
                            goals[proved_count_].name);
    }
    return false;
  }

  // The same with a choice for what the goals ask to exist.
  bool try_existentials(const WitnessChoice& choice, const std::vector<TermId>& assumptions,
                        const std::vector<TermId>& goals) {
    if (choice.order.is_none()) return false;
    for (const TermId before : relations_before(choice)) {
      LastBefore last(problem_, before, choice.order);
      std::vector<TermId> chosen;
      for (const TermId goal : goals)
        chosen.push_back(last.chosen(goal));
      if (chosen == goals || !all_proved(assumptions, chosen)) continue;
      proved_.choice = fmt::format("{}, {}", choice.text, last.text());
      return true;
    }
    return false;
  }

  // Where the wanted transaction may be sought: before in the order, or in a witness such
  // as vis.
  std::vector<TermId> relations_before(const WitnessChoice& choice) {
    std::vector<TermId> found{choice.order};
    for (std::uint32_t i = 0; i < witness_count_; ++i) {
      const level::Witness& witness = problem_.witnesses[i];
      if (!witness.is_keyed && !witness.is_total_order)
        found.push_back(level::TermMaker(problem_).witness(i));
    }
    return found;
  }

  bool all_proved(const std::vector<TermId>& assumptions,
                  const std::vector<TermId>& goals) {
    Obligations obligations(problem_, assumptions, goals, budget_);
    proved_count_ = obligations.proved_count();
    question_count_ += obligations.question_count();
    for (const TermId lemma : obligations.lemmas())
      proved_.lemmas.push_back(level::text_of(problem_, lemma));
    if (proved_count_ < goals.size()) proved_.lemmas.clear();
    return proved_count_ == goals.size();
  }

  const Level& weaker_;
  const Budget& budget_;
  std::uint32_t witness_count_;  // of the stronger level
  Level problem_;
  std::vector<TermId> axioms_;       // of the stronger level
  std::vector<TermId> assumptions_;  // these and what is true of every history
  std::size_t question_count_ = 0;
  std::size_t proved_count_ = 0;       // of the last goals
  std::size_t proved_count_best_ = 0;  // one more than that of `reason_`
  std::string reason_ = "no choice of its witnesses is known";
  Proved proved_;
};

ProofResult prove_directly(const Level& stronger, const Level& weaker,
                           const Budget& budget) {
  const Stopwatch stopwatch;
  ImplicationProver prover(stronger, weaker, budget);
  ProofResult result{.outcome = prover.prove()};
  result.question_count = prover.question_count();
  result.seconds = stopwatch.seconds();
  return result;
}

// Appends the second proof to the first.  Both must be proofs.
void chain(Proved& first, const std::string& middle, const Proved& second) {
  first.choice = fmt::format("{} ({}), then {}", first.choice, middle, second.choice);
  first.lemmas.insert(first.lemmas.end(), second.lemmas.begin(), second.lemmas.end());
}

}  // namespace

// Where no direct proof is found, the stronger level's namesakes in other frameworks may
// help: what snapshot isolation implies is often easier to see with visibility than with a
// commit order alone.
ProofResult prove_implication(const Level& stronger, const Level& weaker,
                              const Budget& budget) {
  ProofResult result = prove_directly(stronger, weaker, budget);
  for (const Level& middle : level::standard_levels()) {
    if (result.proof() != nullptr || budget.is_exhausted()) break;
    if (middle.name != stronger.name || middle.framework == stronger.framework) continue;
    if (middle.framework == weaker.framework) continue;
    ProofResult first = prove_directly(stronger, middle, budget);
    result.seconds += first.seconds;
    result.question_count += first.question_count;
    if (first.proof() == nullptr) continue;
    const ProofResult second = prove_directly(middle, weaker, budget);
    result.seconds += second.seconds;
    result.question_count += second.question_count;
    if (second.proof() == nullptr) continue;
    chain(std::get<Proved>(first.outcome), middle.qualified_name(), *second.proof());
    result.outcome = std::move(first.outcome);
  }
  return result;
}

namespace {

// Only what holds of every history that a reader, the generator or the model finder can
// make.  Fewer facts can only make fewer proofs; a false one would make false proofs, so
// a test evaluates this text on many histories.
//
// Left out on purpose: that sessions are chains, that wr is acyclic, and everything about
// flawed reads.
constexpr std::string_view text_of_history_facts = R"(
framework history {}

level Any : history {
  axiom SessionOrder: irreflexive so and transitive so
  axiom InitFirst:    (init * Txn) \ id in so
  axiom InitWrites:   forall x: Key { init in W[x] }
  axiom InitNoReader: empty wr ; [init]
  axiom ReadsFrom:    forall x: Key { wr[x] in (W[x] * R[x]) \ id }
  axiom SameReader:   forall x, y: Key { rf[x] ; po ; rf[y]^-1 in wr[x] ; wr[y]^-1 }
  axiom OneWriter:    rf ; rf^-1 in id
  axiom ReadOrder:    irreflexive po and transitive po
}
)";

}  // namespace

const level::Level& history_facts() {
  static const level::Level facts = [] {
    const auto levels = level::parse_levels("history", text_of_history_facts);
    ISOMER_ASSERT(levels.has_value());
    return levels->front();
  }();
  return facts;
}

}  // namespace isomer::synth
