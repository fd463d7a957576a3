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

bool is_too_long(const TermValue& value) {
  return std::holds_alternative<TooLong>(value);
}

// False if a part is, whatever the others are.
TermValue conjunction(Values parts) {
  bool is_lost = false;
  for (const TermValue& part : parts) {
    if (is_too_long(part))
      is_lost = true;
    else if (!truth_of(part))
      return false;
  }
  if (is_lost) return TooLong{};
  return true;
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
  if (terms.kind(term) != TermKind::And && std::ranges::any_of(arguments, is_too_long))
    return TooLong{};
  switch (terms.kind(term)) {
    case TermKind::Truth:
      return terms.is_true(term);
    case TermKind::Number:
      if (const auto value = terms.rational_value(term)) return *value;
      return LongNumber{terms.text_value(term)};
    case TermKind::Not:
      return !truth_of(arguments[0]);
    case TermKind::And:
      return conjunction(arguments);
    case TermKind::Same:
    case TermKind::Less:
      return compared(terms.kind(term), arguments);
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
    case TermKind::Choose:
      break;  // TermEvaluation::needed_first
  }
  ISOMER_UNREACHABLE();
}

}  // namespace

TermEvaluation::TermEvaluation(const Terms& terms, Outside outside)
    : terms_(terms), outside_(std::move(outside)) {}

// Of a choice only what is chosen: the rest may be a number of millions of digits.
std::vector<Term> TermEvaluation::needed_first(Term term) const {
  std::vector<Term> out;
  const std::span<const Term> arguments = terms_.arguments(term);
  const bool is_choice = terms_.kind(term) == TermKind::Choose;
  if (!is_choice || !values_.contains(arguments[0])) {
    for (const Term argument : is_choice ? arguments.first(1) : arguments)
      if (!values_.contains(argument)) out.push_back(argument);
  } else if (!values_.contains(chosen(term))) {
    out.push_back(chosen(term));
  }
  return out;
}

// The condition itself where it is lost, for the choice is too.
Term TermEvaluation::chosen(Term choice) const {
  const std::span<const Term> arguments = terms_.arguments(choice);
  const TermValue& condition = values_.at(arguments[0]);
  if (is_too_long(condition)) return arguments[0];
  return truth_of(condition) ? arguments[1] : arguments[2];
}

TermValue TermEvaluation::value_now(Term term) const {
  if (terms_.kind(term) == TermKind::Choose) return values_.at(chosen(term));
  std::vector<TermValue> arguments;
  for (const Term argument : terms_.arguments(term))
    arguments.push_back(values_.at(argument));
  std::optional<TermValue> result = computed(terms_, term, arguments);
  return result ? std::move(*result) : outside_(term, arguments);
}

const TermValue& TermEvaluation::value(Term term) {
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term next = open.back();
    const std::vector<Term> first =
        values_.contains(next) ? std::vector<Term>() : needed_first(next);
    open.insert(open.end(), first.begin(), first.end());
    if (!first.empty()) continue;
    open.pop_back();
    if (!values_.contains(next)) values_.emplace(next, value_now(next));
  }
  return values_.at(term);
}

}  // namespace isomer::logic
