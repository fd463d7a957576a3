// SPDX-License-Identifier: MIT
#include "logic/term_evaluation.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/assert.h"

namespace isomer::logic {
namespace {

using Values = std::span<const TermValue>;

bool truth_of(const TermValue& value) {
  return std::get<bool>(value);
}

const Rational* number_of(const TermValue& value) {
  return std::get_if<Rational>(&value);
}

std::optional<TermValue> maybe(const std::optional<Rational>& number) {
  return number ? std::optional<TermValue>(*number) : std::nullopt;
}

template <class Operation>
std::optional<TermValue> folded(Values arguments, const Operation& operation) {
  std::optional<Rational> result;
  for (const TermValue& argument : arguments) {
    const Rational* number = number_of(argument);
    if (number == nullptr) return std::nullopt;
    result = result ? operation(*result, *number) : *number;
    if (!result) return std::nullopt;
  }
  return maybe(result);
}

std::optional<TermValue> compared(TermKind kind, Values sides) {
  if (std::holds_alternative<bool>(sides[0]))
    return truth_of(sides[0]) == truth_of(sides[1]);
  const Rational* left = number_of(sides[0]);
  const Rational* right = number_of(sides[1]);
  if (left == nullptr || right == nullptr) return std::nullopt;
  return kind == TermKind::Same ? *left == *right : *left < *right;
}

std::optional<TermValue> computed(const Terms& terms, Term term, Values arguments) {
  switch (terms.kind(term)) {
    case TermKind::Truth:
      return terms.is_true(term);
    case TermKind::Number:
      if (const auto value = terms.rational_value(term)) return *value;
      return LongNumber{terms.text_value(term)};
    case TermKind::Not:
      return !truth_of(arguments[0]);
    case TermKind::And:
      return std::ranges::all_of(arguments, truth_of);
    case TermKind::Same:
    case TermKind::Less:
      return compared(terms.kind(term), arguments);
    case TermKind::Choose:
      return truth_of(arguments[0]) ? arguments[1] : arguments[2];
    case TermKind::Sum:
      return folded(arguments, add);
    case TermKind::Product:
      return folded(arguments, multiply);
    case TermKind::Quotient:
      return folded(arguments, divide);
    case TermKind::Divide:
      return folded(arguments, divide_towards_zero);
    case TermKind::AsReal:
      return arguments[0];
    case TermKind::Floor:
      if (const Rational* number = number_of(arguments[0])) return floor(*number);
      return std::nullopt;
    case TermKind::Text:
    case TermKind::Variable:
    case TermKind::Apply:
      return std::nullopt;
  }
  ISOMER_UNREACHABLE();
}

}  // namespace

TermEvaluation::TermEvaluation(const Terms& terms, Outside outside)
    : terms_(terms), outside_(std::move(outside)) {}

const TermValue& TermEvaluation::value(Term term) {
  std::vector<Term> open{term};
  std::vector<TermValue> arguments;
  while (!open.empty()) {
    const Term next = open.back();
    const std::size_t open_before = open.size();
    if (!values_.contains(next))
      for (const Term argument : terms_.arguments(next))
        if (!values_.contains(argument)) open.push_back(argument);
    if (open.size() > open_before) continue;
    open.pop_back();
    if (values_.contains(next)) continue;
    arguments.clear();
    for (const Term argument : terms_.arguments(next))
      arguments.push_back(values_.at(argument));
    std::optional<TermValue> result = computed(terms_, next, arguments);
    values_.emplace(next, result ? std::move(*result) : outside_(next, arguments));
  }
  return values_.at(term);
}

}  // namespace isomer::logic
