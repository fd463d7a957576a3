// SPDX-License-Identifier: MIT
// What proofs assume has models: if it had none, everything could be proved.
#include <gtest/gtest.h>

#include "level/library.h"
#include "level/rewrite.h"
#include "level/smt_encode.h"
#include "logic/smt.h"
#include "synth/prove.h"

namespace isomer::synth {
namespace {

using level::Level;
using level::TermId;

// Two transactions besides init, one key: the first writes it, the second reads that.
constexpr std::string_view small_history = R"(
framework test {}
level Small : test {
  forall t, u, v, w: Txn { t = u or t = v or t = w or u = v or u = w or v = w }
  forall x, y: Key { x = y }
  forall r, s: Read { r = s }
  exists x: Key, t, u: Txn { t != init and (t, u) in wr[x] }
}
)";

void add_axioms(const Level& from, level::SmtEncoder& encoder, Level& to,
                std::vector<logic::SmtFormula>& formulas) {
  level::Import import(from, to, {});
  for (const level::Axiom& axiom : from.axioms)
    formulas.push_back(encoder.encode(import(axiom.formula)));
}

logic::SatAnswer consistency(Level level) {
  logic::Smt smt;
  level::SmtEncoder encoder(smt, level);
  std::vector<logic::SmtFormula> formulas;
  for (const level::Axiom& axiom : level.axioms)
    formulas.push_back(encoder.encode(axiom.formula));
  add_axioms(history_facts(), encoder, level, formulas);
  add_axioms(level::parse_levels("test", small_history).value().front(), encoder, level,
             formulas);
  formulas.insert(formulas.end(), encoder.facts().begin(), encoder.facts().end());
  return smt.solve(formulas, Budget(60.0));
}

TEST(AssumptionsTest, have_a_model_with_every_standard_level) {
  for (const Level& level : level::standard_levels())
    EXPECT_EQ(consistency(level), logic::SatAnswer::Satisfiable) << level.qualified_name();
}

TEST(AssumptionsTest, have_no_model_with_a_contradiction) {
  const auto levels = level::parse_levels("test", "level No : biswas { wr in co^-1 }");
  EXPECT_EQ(consistency(levels.value().front()), logic::SatAnswer::Unsatisfiable);
}

}  // namespace
}  // namespace isomer::synth
