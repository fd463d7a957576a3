// SPDX-License-Identifier: MIT
// Formulas, sets, relations and elements: names, lets, quantifiers and operators.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "level/language/elaborator.h"

namespace isomer::level {
namespace {

constexpr std::size_t steps_max = 200'000;
constexpr std::size_t nesting_max = 1000;

}  // namespace

bool Elaborator::is_other_name(std::string_view name) {
  return bound_value(name) != nullptr || let_meant(name).let != nullptr ||
         witness_named(framework_, name) != nullptr || given_named(name) != nullptr;
}

Elaborated Elaborator::elaborate(NodeId id) {
  const Node& node = program_[id];
  if (++steps_ > steps_max || nesting_ >= nesting_max) return give_up(node.place);
  ++nesting_;
  const Elaborated out = elaborate(node);
  --nesting_;
  return out;
}

Elaborated Elaborator::elaborate(const Node& node) {
  switch (node.kind) {
    case NodeKind::Name:
      return name(node);
    case NodeKind::LevelName:
      return level_as_formula(*level_meant(node), node.place);
    case NodeKind::Type:
      return type_name(node);
    case NodeKind::Forall:
    case NodeKind::Exists:
      return quantifier(node);
    case NodeKind::Plus:
      if (const Block* level = level_meant(node))
        return level_as_formula(*level, node.place);
      return operation(node);
    default:
      return operation(node);
  }
}

Elaborated Elaborator::operation(const Node& node) {
  const std::optional<std::vector<Value>> operands = all_of(operand_nodes(node));
  if (!operands) return std::nullopt;
  if (node.kind == NodeKind::Call) {
    out_.uses_values = true;
    return checked(node.place, builder_.call(node.text == "writes" ? Op::Writes : Op::Reads,
                                             *operands));
  }
  return checked(node.place, builder_.build(node.kind, *operands));
}

std::vector<NodeId> Elaborator::operand_nodes(const Node& node) {
  if (node.kind != NodeKind::In) return node.children;
  const Node& left = program_[node.children[0]];
  if (left.kind != NodeKind::Pair) return node.children;
  return {left.children[0], left.children[1], node.children[1]};
}

std::optional<std::vector<Value>> Elaborator::all_of(const std::vector<NodeId>& nodes) {
  std::vector<Value> out;
  bool all = true;
  for (const NodeId node : nodes) {
    const Elaborated value = elaborate(node);
    all = all && value.has_value();
    if (value) out.push_back(*value);
  }
  if (!all) return std::nullopt;
  return out;
}

Elaborated Elaborator::type_name(const Node& node) {
  std::string name;
  for (std::size_t i = 0; i < node.text.size(); ++i) {
    name += node.text[i];
    if (node.text[i] == '"') ++i;  // it is written twice
  }
  auto& names = out_.type_names;
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) found = names.emplace(names.end(), name);
  return builder_.make(Op::TypeNamed, {Kind::Set, Sort::Txn, Sort::Txn},
                       static_cast<std::uint32_t>(found - names.begin()), {});
}

void Elaborator::note_sort(Sort sort) {
  out_.uses_events = out_.uses_events || sort == Sort::Read;
  out_.uses_values = out_.uses_values || sort == Sort::Val;
}

Value Elaborator::bind_variable(std::string_view name, Sort sort) {
  const Value variable =
      builder_.make(Op::Variable, {Kind::Element, sort, Sort::Txn}, depth_++, {});
  scope_.bindings.push_back({name, variable});
  note_sort(sort);
  return variable;
}

void Elaborator::unbind_variable() {
  scope_.bindings.pop_back();
  --depth_;
}

bool Elaborator::has_room(std::size_t variables, Place place) {
  if (depth_ + variables <= Terms::variable_count_max) return true;
  fail(place,
       fmt::format("more than {} variables are nested here", Terms::variable_count_max));
  return false;
}

Elaborated Elaborator::quantifier(const Node& node) {
  if (!has_room(node.variables.size(), node.place)) return std::nullopt;
  for (const Variable& variable : node.variables)
    bind_variable(variable.name, *sort_named(variable.sort));
  Elaborated out = elaborate(node.children[0]);
  const Op op = node.kind == NodeKind::Forall ? Op::Forall : Op::Exists;
  for (std::size_t i = node.variables.size(); i-- > 0;) {
    unbind_variable();
    if (out)
      out = checked(
          program_[node.children[0]].place,
          builder_.quantified(op, *sort_named(node.variables[i].sort), depth_, *out));
  }
  return out;
}

const Value* Elaborator::bound_value(std::string_view name) const {
  for (std::size_t i = scope_.bindings.size(); i-- > 0;)
    if (scope_.bindings[i].name == name) return &scope_.bindings[i].value;
  return nullptr;
}

Elaborator::FoundLet Elaborator::let_meant(std::string_view name) const {
  if (scope_.block != nullptr)
    if (const Let* let = let_named(scope_.block->lets, name)) return {let, scope_.block};
  if (const Let* let = let_named(framework_.lets, name)) return {let, &framework_};
  return {let_named(program_, name, scope_.seen), nullptr};
}

Elaborated Elaborator::name(const Node& node) {
  if (const Value* value = bound_value(node.text)) {
    if (node.children.empty()) return *value;
    return fail(node.place, fmt::format("'{}' takes no index", node.text));
  }
  if (const FoundLet found = let_meant(node.text); found.let != nullptr)
    return expand(node, found);
  if (const WitnessSyntax* witness = witness_named(framework_, node.text))
    return witness_relation(node, *witness);
  if (const GivenName* given = given_named(node.text)) return given_term(node, *given);
  if (const Block* level = level_by_bare_name(node.text))
    return level_as_formula(*level, node.place);
  return fail(node.place,
              fmt::format("framework {} has no '{}'", framework_.name, node.text));
}

std::optional<TermId> Elaborator::key_index(const Node& node) {
  if (node.children.size() != 1)
    return fail(node.place, fmt::format("'{}' takes one index, a key", node.text));
  const Elaborated value = elaborate(node.children[0]);
  if (!value) return std::nullopt;
  const auto key = builder_.fit(*value, {Kind::Element, Sort::Key, Sort::Txn});
  if (!key) return fail(program_[node.children[0]].place, key.error());
  return *key;
}

Elaborated Elaborator::indexed(const Node& node, Op op, Type type, std::uint32_t number,
                               bool takes_key) {
  if (node.children.empty()) return builder_.make(op, type, number, {});
  if (!takes_key) return fail(node.place, fmt::format("'{}' takes no index", node.text));
  const std::optional<TermId> key = key_index(node);
  if (!key) return std::nullopt;
  return builder_.make(op, type, number, {*key});
}

Elaborated Elaborator::witness_relation(const Node& node, const WitnessSyntax& witness) {
  const auto number = static_cast<std::uint32_t>(&witness - framework_.witnesses.data());
  return indexed(node, Op::Witness, {Kind::Relation, Sort::Txn, Sort::Txn}, number,
                 !witness.keys.empty());
}

Elaborated Elaborator::given_term(const Node& node, const GivenName& given) {
  if (given.op == Op::Identity && node.children.empty())
    return Value{Value::Shape::Identity, TermId::none(), given.type};
  note_sort(given.type.first);
  note_sort(given.type.second);
  return indexed(node, given.op, given.type, given.number, given.takes_key);
}

bool Elaborator::has_only_keys(const Let& let) {
  return !let.parameters.empty() &&
         std::all_of(let.parameters.begin(), let.parameters.end(),
                     [](const Variable& one) { return one.sort == "Key"; });
}

Elaborated Elaborator::expand(const Node& node, const FoundLet& found) {
  const Let& let = *found.let;
  if (std::find(expanding_.begin(), expanding_.end(), &let) != expanding_.end())
    return fail(node.place, fmt::format("'{}' is defined by itself", let.name));
  const bool is_union = node.children.empty() && has_only_keys(let);
  if (!is_union && node.children.size() != let.parameters.size())
    return fail_arity(node, let);
  const std::optional<std::vector<Value>> arguments = all_of(node.children);
  if (!arguments) return std::nullopt;
  NameScope inside{.block = found.block, .seen = seen_from(let.place), .bindings = {}};
  for (std::size_t i = 0; i < arguments->size(); ++i) {
    if (!has_sort((*arguments)[i], let.parameters[i], node)) return std::nullopt;
    inside.bindings.push_back({let.parameters[i].name, (*arguments)[i]});
  }
  const std::size_t keys = is_union ? let.parameters.size() : 0;
  if (!has_room(keys, node.place)) return std::nullopt;
  const NameScope outside = std::exchange(scope_, std::move(inside));
  uses_.push_back(node.place);
  expanding_.push_back(&let);
  for (std::size_t i = 0; i < keys; ++i)
    bind_variable(let.parameters[i].name, Sort::Key);
  Elaborated out = elaborate(let.body);
  for (std::size_t i = 0; i < keys; ++i) {
    unbind_variable();
    if (out) out = checked(program_[let.body].place, builder_.union_of_keys(depth_, *out));
  }
  expanding_.pop_back();
  uses_.pop_back();
  scope_ = outside;
  if (found.block == nullptr) note_use(used_lets_, let);
  return out;
}

std::nullopt_t Elaborator::fail_arity(const Node& node, const Let& let) {
  const std::size_t wanted = let.parameters.size();
  return fail(node.place,
              fmt::format("'{}' takes {}, found {}", let.name,
                          wanted == 0   ? "no arguments"
                          : wanted == 1 ? "one argument"
                                        : fmt::format("{} arguments", wanted),
                          node.children.size()),
              {note_at(program_, let.place, "defined here")});
}

bool Elaborator::has_sort(const Value& argument, const Variable& parameter,
                          const Node& node) {
  if (parameter.sort.empty()) return true;
  const Type wanted{Kind::Element, *sort_named(parameter.sort), Sort::Txn};
  const auto fitting = builder_.fit(argument, wanted);
  if (fitting) return true;
  fail(node.place, fmt::format("argument '{}': {}", parameter.name, fitting.error()));
  return false;
}

}  // namespace isomer::level
