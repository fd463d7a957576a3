// SPDX-License-Identifier: MIT
// Storage, leaves, and what can be asked of a term.  Hash-consing after Goto ("Monocopy and
// Associative Algorithms in an Extended Lisp", 1974): a term is looked up before it is
// made, so equality of terms is equality of indices.
#include "logic/term.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "logic/term_state.h"

namespace isomer::logic {
namespace {

constexpr std::size_t block_size = 4096;

// One spelling for each number: no zeros at the ends, no "-0".
std::string canonical(std::string_view decimal) {
  const bool is_negative = decimal.starts_with('-');
  if (is_negative || decimal.starts_with('+')) decimal.remove_prefix(1);
  if (decimal.find('.') != std::string_view::npos) {
    while (decimal.ends_with('0'))
      decimal.remove_suffix(1);
    if (decimal.ends_with('.')) decimal.remove_suffix(1);
  }
  while (decimal.size() > 1 && decimal[0] == '0' && decimal[1] != '.')
    decimal.remove_prefix(1);
  const bool lacks_zero = decimal.empty() || decimal.starts_with('.');
  const std::string result = fmt::format("{}{}", lacks_zero ? "0" : "", decimal);
  return is_negative && result != "0" ? fmt::format("-{}", result) : result;
}

}  // namespace

std::size_t Terms::State::Hash::operator()(std::uint32_t index) const {
  const Node& node = state->nodes[index];
  std::uint64_t hash = (static_cast<std::uint64_t>(node.kind) << 40) ^
                       (static_cast<std::uint64_t>(node.sort) << 32) ^ node.payload;
  for (const Term argument : node.arguments)
    hash = (hash ^ argument.index) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
  return (hash * 0xbf58476d1ce4e5b9ULL) >> 7;
}

bool Terms::State::Equal::operator()(std::uint32_t a, std::uint32_t b) const {
  const Node& left = state->nodes[a];
  const Node& right = state->nodes[b];
  return left.kind == right.kind && left.sort == right.sort &&
         left.payload == right.payload &&
         std::ranges::equal(left.arguments, right.arguments);
}

Term Terms::State::add(TermKind kind, TermSort sort, std::uint32_t payload,
                       std::span<const Term> arguments) {
  const Term result{static_cast<std::uint32_t>(nodes.size())};
  nodes.push_back({kind, sort, 0, payload, arguments, Term::none()});
  if (const auto [at, is_new] = known.insert(result.index); !is_new) {
    nodes.pop_back();
    return {*at};
  }
  Node& node = nodes.back();
  node.arguments = stored(arguments);
  if (kind == TermKind::Truth || kind == TermKind::Number || kind == TermKind::Text)
    node.leaves = 1;
  if (kind == TermKind::Choose) {
    const std::size_t then = nodes[arguments[1].index].leaves;
    const std::size_t otherwise = nodes[arguments[2].index].leaves;
    if (then > 0 && otherwise > 0 && then + otherwise <= leaves_max)
      node.leaves = static_cast<std::uint16_t>(then + otherwise);
  }
  return result;
}

std::span<const Term> Terms::State::stored(std::span<const Term> arguments) {
  if (arguments.empty()) return {};
  if (blocks.empty() || blocks.back().capacity() - blocks.back().size() < arguments.size())
    blocks.emplace_back().reserve(std::max(block_size, arguments.size()));
  std::vector<Term>& block = blocks.back();
  const std::size_t start = block.size();
  block.insert(block.end(), arguments.begin(), arguments.end());
  return std::span<const Term>(block).subspan(start);
}

Terms::Terms() : state_(std::make_unique<State>()) {
  state_->add(TermKind::Truth, TermSort::Bool, 0);
  state_->add(TermKind::Truth, TermSort::Bool, 1);
}

Terms::~Terms() = default;

Term Terms::node(TermKind kind, TermSort sort, std::span<const Term> arguments) {
  return state_->add(kind, sort, 0, arguments);
}

Term Terms::truth(bool value) {
  return {value ? 1U : 0U};
}

Term Terms::integer(std::int64_t value) {
  return number(Rational{.numerator = value, .denominator = 1}, TermSort::Int);
}

Term Terms::number(const Rational& value, TermSort sort) {
  ISOMER_ASSERT(sort == TermSort::Real || value.is_integer());
  std::string text = to_text(value);
  const auto next = static_cast<std::uint32_t>(state_->numbers.size());
  const auto [at, is_new] = state_->number_index.emplace(text, next);
  if (is_new) state_->numbers.push_back({value, std::move(text)});
  return state_->add(TermKind::Number, sort, at->second);
}

Term Terms::number(std::string_view decimal, TermSort sort) {
  std::string text = canonical(decimal);
  if (const std::optional<Rational> value = parse_rational(text))
    return number(*value, sort);
  ISOMER_ASSERT(sort == TermSort::Real || text.find('.') == std::string::npos);
  const auto next = static_cast<std::uint32_t>(state_->numbers.size());
  const auto [at, is_new] = state_->number_index.emplace(text, next);
  if (is_new) state_->numbers.push_back({std::nullopt, std::move(text)});
  return state_->add(TermKind::Number, sort, at->second);
}

Term Terms::text(std::string_view value) {
  const auto next = static_cast<std::uint32_t>(state_->texts.size());
  const auto [at, is_new] = state_->text_index.emplace(value, next);
  if (is_new) state_->texts.emplace_back(value);
  return state_->add(TermKind::Text, TermSort::Text, at->second);
}

Term Terms::variable(std::string_view name, TermSort sort) {
  state_->variables.emplace_back(name);
  return state_->add(TermKind::Variable, sort,
                     static_cast<std::uint32_t>(state_->variables.size() - 1));
}

TermFunction Terms::function(std::string_view name, std::vector<TermSort> arguments,
                             TermSort result) {
  state_->functions.push_back({std::string(name), std::move(arguments), result});
  return {static_cast<std::uint32_t>(state_->functions.size() - 1)};
}

TermFunction Terms::shared_function(std::string_view name, std::vector<TermSort> arguments,
                                    TermSort result) {
  const auto [place, is_new] =
      state_->shared_functions.try_emplace({std::string(name), arguments, result});
  if (is_new) place->second = function(name, std::move(arguments), result);
  return place->second;
}

Term Terms::apply(TermFunction function, std::span<const Term> arguments) {
  const State::Function& called = state_->functions[function.index];
  ISOMER_ASSERT(std::ranges::equal(arguments, called.arguments, {},
                                   [this](Term term) { return sort(term); }));
  return state_->add(TermKind::Apply, called.result, function.index, arguments);
}

TermKind Terms::kind(Term term) const {
  return (*state_)[term].kind;
}

TermSort Terms::sort(Term term) const {
  return (*state_)[term].sort;
}

std::span<const Term> Terms::arguments(Term term) const {
  return (*state_)[term].arguments;
}

bool Terms::is_true(Term term) const {
  return term.index == 1;
}

bool Terms::is_false(Term term) const {
  return term.index == 0;
}

bool Terms::is_constant(Term term) const {
  const TermKind found = kind(term);
  return found == TermKind::Truth || found == TermKind::Number || found == TermKind::Text;
}

std::optional<std::int64_t> Terms::integer_value(Term term) const {
  const std::optional<Rational> value = rational_value(term);
  if (!value || !value->is_integer()) return std::nullopt;
  const auto result = static_cast<std::int64_t>(value->numerator);
  if (result != value->numerator) return std::nullopt;
  return result;
}

std::optional<Rational> Terms::rational_value(Term term) const {
  if (kind(term) != TermKind::Number) return std::nullopt;
  return state_->numbers[(*state_)[term].payload].value;
}

std::string Terms::text_value(Term term) const {
  const std::uint32_t payload = (*state_)[term].payload;
  if (kind(term) == TermKind::Number) return state_->numbers[payload].text;
  if (kind(term) == TermKind::Text) return state_->texts[payload];
  ISOMER_ASSERT(kind(term) == TermKind::Variable);
  return state_->variables[payload];
}

TermFunction Terms::function_of(Term application) const {
  ISOMER_ASSERT(kind(application) == TermKind::Apply);
  return {(*state_)[application].payload};
}

std::string_view Terms::function_name(TermFunction function) const {
  return state_->functions[function.index].name;
}

std::span<const TermSort> Terms::function_arguments(TermFunction function) const {
  return state_->functions[function.index].arguments;
}

TermSort Terms::function_result(TermFunction function) const {
  return state_->functions[function.index].result;
}

std::vector<Term> Terms::chosen_constants(Term term) const {
  if (leaves(term) == 0) return {};
  std::vector<Term> result;
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term next = open.back();
    open.pop_back();
    if (is_constant(next)) {
      result.push_back(next);
      continue;
    }
    open.push_back(arguments(next)[1]);
    open.push_back(arguments(next)[2]);
  }
  std::ranges::sort(result);
  const auto rest = std::ranges::unique(result);
  result.erase(rest.begin(), rest.end());
  return result;
}

std::size_t Terms::size() const {
  return state_->nodes.size();
}

Term Terms::known_negation(Term term) const {
  return (*state_)[term].negation;
}

std::size_t Terms::leaves(Term term) const {
  return (*state_)[term].leaves;
}

}  // namespace isomer::logic
