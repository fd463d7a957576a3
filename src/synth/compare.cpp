// SPDX-License-Identifier: MIT
#include "synth/compare.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/budget.h"
#include "synth/prove.h"

namespace isomer::synth {
namespace {

void add(Stats& sum, const Stats& part) {
  sum.candidates += part.candidates;
  sum.clauses += part.clauses;
}

std::string argument_of(const Proved& proof) {
  std::string out = proof.choice;
  for (const std::string& lemma : proof.lemmas)
    out += fmt::format("{}lemma: {}", out.empty() ? "" : "; ", lemma);
  return out;
}

Relationship relationship_of(Implication left_to_right, Implication right_to_left) {
  const auto holds = [](Implication i) {
    return i == Implication::Proved || i == Implication::InScope;
  };
  if (left_to_right == Implication::Unknown || right_to_left == Implication::Unknown)
    return Relationship::Unknown;
  if (holds(left_to_right))
    return holds(right_to_left) ? Relationship::Equivalent : Relationship::Stronger;
  return holds(right_to_left) ? Relationship::Weaker : Relationship::Incomparable;
}

}  // namespace

std::string_view name(Relationship relationship) {
  switch (relationship) {
    case Relationship::Equivalent:
      return "equivalent";
    case Relationship::Stronger:
      return "stronger";
    case Relationship::Weaker:
      return "weaker";
    case Relationship::Incomparable:
      return "incomparable";
    case Relationship::Unknown:
      return "unknown";
  }
  return {};
}

Direction implication(const Level& stronger, const Level& weaker,
                      const CompareOptions& options, Result* search) {
  Result result = synth(std::span(&stronger, 1), std::span(&weaker, 1), options.search);
  Direction out;
  switch (result.outcome) {
    case Outcome::Found:
      out.implication = Implication::Refuted;
      out.counterexample = std::move(result.found.front());
      break;
    case Outcome::None:
      out.implication = Implication::InScope;
      break;
    case Outcome::Unknown:
      out.how = result.reason;
      break;
  }
  if (search != nullptr) *search = std::move(result);
  if (!options.prove || out.implication == Implication::Refuted) return out;
  const ProofResult proof = prove_implication(
      stronger, weaker, options.search.budget.within(prove_seconds_default));
  if (const Proved* proved = proof.proof()) {
    out.implication = Implication::Proved;
    out.how = argument_of(*proved);
  }
  return out;
}

Comparison compare(const Level& left, const Level& right, const CompareOptions& options) {
  const Stopwatch watch;
  Comparison out;
  Result forth;
  Result back;
  out.left_to_right = implication(left, right, options, &forth);
  out.right_to_left = implication(right, left, options, &back);
  out.scope = forth.scope;
  out.scope.transactions = std::min(forth.scope.transactions, back.scope.transactions);
  out.relationship =
      relationship_of(out.left_to_right.implication, out.right_to_left.implication);
  add(out.stats, forth.stats);
  add(out.stats, back.stats);
  out.stats.seconds = watch.seconds();
  return out;
}

}  // namespace isomer::synth
