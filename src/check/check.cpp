// SPDX-License-Identifier: MIT
#include "check/check.h"

#include <algorithm>

#include "check/certify/certify.h"
#include "check/uncertified.h"

namespace isomer::check {
namespace {

// Below this many operations, deriving a witness again costs nothing that a person notices.
constexpr std::size_t operations_always_certified = 100'000;

}  // namespace

std::string_view name(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::So:
      return "so";
    case EdgeKind::Wr:
      return "wr";
    case EdgeKind::Ww:
      return "ww";
    case EdgeKind::Rw:
      return "rw";
  }
  return {};
}

Certified<Result> certified_answers(const History& history, const Options& options) {
  Result answers = uncertified_answers(
      history, {.levels = options.levels, .budget = options.budget, .explain = true});
  if (options.asks_library)
    answers.library = answers_beside_rc(history, answers.levels, options.budget);
  answers.has_certified_witnesses =
      options.certifies_all_witnesses ||
      history.operations().size() < operations_always_certified;
  return or_contradiction(certify(history, std::move(answers)));
}

std::vector<AskedLevel> strongest_allowed(const Result& result) {
  std::vector<AskedLevel> allowed;
  for (const LevelResult& r : result.levels)
    if (std::holds_alternative<Consistent>(r.verdict)) allowed.push_back(r.level);
  std::vector<AskedLevel> strongest;
  for (const AskedLevel& level : allowed)
    if (std::none_of(allowed.begin(), allowed.end(), [&](const AskedLevel& other) {
          return is_stronger_or_equal(other, level) && !is_stronger_or_equal(level, other);
        }))
      strongest.push_back(level);
  return strongest;
}

}  // namespace isomer::check
