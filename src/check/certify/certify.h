// SPDX-License-Identifier: MIT
// Holds answers to the axioms by plain evaluation: no search, no solver, and nothing shared
// with the engines but the history model.  What survives is Certified.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/assert.h"
#include "check/certify/certified.h"
#include "check/check.h"

namespace isomer::check {

// Absent if the witness proves the level; else what is wrong with it.
std::optional<std::string> refute(const History& history, const AskedLevel& level,
                                  const Consistent& witness);

// Absent if the evidence proves that the level forbids the history; else what is wrong with
// it. Re-derives every edge of the cycle, and tries every order of the named transactions
// where these are few.
std::optional<std::string> refute(const History& history, const AskedLevel& level,
                                  const Violated& violation);

// Either; "the answer for SI is wrong: ...".  An undecided answer claims nothing.
std::optional<std::string> refute(const History& history, const LevelResult& result);

// What checkers said of a history; or which answer is wrong, and why.  Consistent is only
// looked at if has_certified_witnesses is on.
tl::expected<Certified<Result>, std::string> certify(const History& history,
                                                     Result answers);

// What an engine says of a history that it found.
struct Claims {
  std::vector<AskedLevel> also_asked = {};  // to be told; nothing is claimed
  std::vector<AskedLevel> allowed_by = {};
  std::vector<AskedLevel> forbidden_by = {};
};

// What the checkers say of these levels, each once and in the order above, every answer
// derived again; or how they contradict the claims.  What was found is worth a moment more
// than the budget of its search.
tl::expected<Certified<Result>, std::string> judge(const History& history,
                                                   const Claims& claims,
                                                   const Budget& budget);

// A finding, one of whose members is the history in question, with the judgement of it in
// its member `levels`; or why it is none.
template <class Finding>
tl::expected<Certified<Finding>, std::string> certify(Finding finding,
                                                      History Finding::* history,
                                                      const Claims& claims,
                                                      const Budget& budget) {
  const auto judgement = judge(finding.*history, claims, budget);
  if (!judgement) return tl::unexpected(judgement.error());
  finding.levels = *judgement;
  return Certified<Finding>(std::move(finding));
}

// For engines: what does not survive certification is our own mistake, and ends the
// program.
template <class T>
Certified<T> or_contradiction(tl::expected<Certified<T>, std::string> certified) {
  if (!certified) contradiction(certified.error());
  return std::move(*certified);
}

}  // namespace isomer::check
