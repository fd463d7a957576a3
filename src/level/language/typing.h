// SPDX-License-Identifier: MIT
// The sorts: which operands an operator takes, and the term that it makes of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "level/language/syntax.h"
#include "level/terms.h"

namespace isomer::level {

// What an expression means.  `0` and `id` take their sorts from what stands beside them,
// so they stay open until then.
struct Value {
  enum class Shape : std::uint8_t { Term, Zero, Identity };
  Shape shape = Shape::Term;
  TermId id;
  Type type;
};

// Says what is wrong with the operands.
using Typed = tl::expected<Value, std::string>;

class TermBuilder {
 public:
  static constexpr std::size_t terms_max = 200'000;
  static constexpr std::uint32_t depth_max = 1000;

  explicit TermBuilder(Terms& terms) : terms_(terms) {}

  Value make(Op op, Type type, std::uint32_t number,
             std::initializer_list<TermId> arguments);

  // The operators of the grammar, by the kind of their node.
  Typed build(NodeKind kind, std::span<const Value> operands);

  Typed quantified(Op op, Sort sort, std::uint32_t variable, const Value& body);
  Typed union_of_keys(std::uint32_t variable, const Value& body);
  Typed call(Op op, std::span<const Value> operands);  // Writes, Reads

  // The value where a type is wanted: an element as a set, 0 and id with their sorts.
  tl::expected<TermId, std::string> fit(const Value& value, Type wanted);

  [[nodiscard]] bool is_too_large() const {
    return terms_.size() > terms_max || deepest_ > depth_max;
  }

 private:
  Typed same_kind(NodeKind kind, const Value& left, const Value& right);
  Typed compose(const Value& left, const Value& right);
  Typed postfix(NodeKind kind, const Value& inner);
  Typed product(const Value& left, const Value& right);
  Typed bracket(const Value& inner);
  Typed compare(NodeKind kind, const Value& left, const Value& right);
  Typed pair_in(const Value& from, const Value& to, const Value& relation);
  Typed predicate(NodeKind kind, std::span<const Value> operands);
  Typed connective(NodeKind kind, std::span<const Value> operands);
  Value domain(Sort sort);

  Terms& terms_;
  std::vector<std::uint32_t> depths_;  // by term
  std::uint32_t deepest_ = 0;
};

std::string description(const Value& value);

}  // namespace isomer::level
