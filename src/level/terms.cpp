// SPDX-License-Identifier: MIT
#include "level/terms.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::level {
namespace {

std::size_t hash_of(const Term& term) {
  std::size_t hash = static_cast<std::size_t>(term.op);
  const auto mix = [&](std::size_t part) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29U;
  };
  mix(static_cast<std::size_t>(term.type.kind));
  mix(static_cast<std::size_t>(term.type.first));
  mix(static_cast<std::size_t>(term.type.second));
  mix(term.number);
  for (const TermId argument : term.arguments())
    mix(argument.index);
  return hash;
}

}  // namespace

TermId Terms::make(Op op, Type type, std::uint32_t number,
                   std::span<const TermId> arguments) {
  Term term{.op = op, .type = type, .number = number};
  ISOMER_ASSERT(arguments.size() <= term.argument_ids.size());
  term.argument_count = static_cast<std::uint8_t>(arguments.size());
  std::copy(arguments.begin(), arguments.end(), term.argument_ids.begin());
  for (const TermId argument : arguments)
    term.free_variables |= terms_[argument.index].free_variables;
  if (op == Op::Variable) {
    ISOMER_ASSERT(number < variable_count_max);
    term.free_variables = std::uint64_t{1} << number;
  }
  if (op == Op::Forall || op == Op::Exists || op == Op::UnionOfKeys)
    term.free_variables &= ~(std::uint64_t{1} << number);

  const std::size_t hash = hash_of(term);
  const auto [first, last] = by_hash_.equal_range(hash);
  for (auto found = first; found != last; ++found)
    if (terms_[found->second] == term) return {found->second};
  const auto index = static_cast<std::uint32_t>(terms_.size());
  terms_.push_back(term);
  by_hash_.emplace(hash, index);
  return {index};
}

}  // namespace isomer::level
