// SPDX-License-Identifier: MIT
// From syntax to terms.  A let is expanded at each use, with the values of its arguments,
// so that one let serves relations of different sorts; variables are numbered by the depth
// of their quantifier at the place of use, so that nothing is captured.  A mistake inside
// a let is shown there, with the uses that led to it as notes.
//
// Expansion may blow up (lets that double), so steps, terms and depth are bounded.
#include "level/elaborate.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "level/names.h"
#include "level/typing.h"
#include "level/vocabulary.h"

namespace isomer::level {
namespace {

constexpr std::size_t steps_max = 200'000;
constexpr std::size_t nesting_max = 1000;
constexpr std::size_t notes_max = 5;

using Elaborated = std::optional<Value>;

struct Binding {
  std::string_view name;
  Value value;
};

// Where a body stands: what it may mention besides the framework.
struct Scope {
  const Block* block = nullptr;  // whose lets are seen
  Seen seen = Seen::All;
  std::vector<Binding> bindings;
};

class Elaborator {
 public:
  Elaborator(const Program& program, const Block& framework, Level& out,
             Diagnostics& errors)
      : program_(program),
        framework_(framework),
        out_(out),
        errors_(errors),
        builder_(out.terms) {}

  void add_framework() {
    for (const WitnessSyntax& witness : framework_.witnesses)
      out_.witnesses.push_back({.name = std::string(witness.name),
                                .is_keyed = !witness.keys.empty(),
                                .is_total_order = false,
                                .on = TermId::none()});
    scope_ = scope_of(framework_);
    for (const Statement& statement : framework_.statements) {
      if (add_shape(statement)) continue;
      add_axioms(framework_, statement);
    }
    for (Axiom& axiom : out_.axioms)
      axiom.is_base = true;
  }

  void add_level(const Block& level) {
    levels_.push_back(&level);
    const Scope outside = std::exchange(scope_, scope_of(level));
    for (const Statement& statement : level.statements)
      add_axioms(level, statement);
    scope_ = outside;
    levels_.pop_back();
    if (!levels_.empty()) note_use(used_levels_, level);
  }

  // The framework, and the lets and levels that were used, as written.
  [[nodiscard]] std::string context() const {
    std::string out;
    for (const Let* let : used_lets_)
      out += text_of(let->extent) + "\n\n";
    out += text_of(framework_.extent);
    for (const Block* level : used_levels_)
      out += "\n\n" + text_of(level->extent);
    return out;
  }

  [[nodiscard]] std::string text_of(const Extent& extent) const {
    return program_.sources[extent.source].text.substr(extent.begin,
                                                       extent.end - extent.begin);
  }

 private:
  [[nodiscard]] Seen seen_from(Place place) const {
    return program_.is_standard(place) ? Seen::OnlyStandard : Seen::All;
  }

  [[nodiscard]] Scope scope_of(const Block& block) const {
    return {.block = &block, .seen = seen_from(block.place), .bindings = {}};
  }

  std::nullopt_t fail(Place place, std::string message, std::vector<Note> notes = {}) {
    Diagnostic out = diagnostic_at(program_, place, std::move(message));
    out.notes = std::move(notes);
    for (std::size_t i = 0; i < uses_.size() && i < notes_max; ++i)
      out.notes.push_back(note_at(program_, uses_[uses_.size() - 1 - i], "used here"));
    const bool is_known =
        std::any_of(errors_.begin(), errors_.end(), [&](const Diagnostic& known) {
          return known.file == out.file && known.at.line == out.at.line &&
                 known.at.column == out.at.column && known.message == out.message;
        });
    if (!is_known && errors_.size() < errors_max) errors_.push_back(std::move(out));
    return std::nullopt;
  }

  Elaborated checked(Place place, const Typed& typed) {
    if (!typed) return fail(place, typed.error());
    if (builder_.is_too_large()) return give_up(place);
    return *typed;
  }

  // Said once, of the outermost use; whatever follows is too large as well.
  std::nullopt_t give_up(Place place) {
    if (has_given_up_) return std::nullopt;
    has_given_up_ = true;
    if (!uses_.empty()) place = uses_.front();
    const std::vector<Place> uses = std::exchange(uses_, {});
    fail(place, "this becomes too large when its lets are written out");
    uses_ = uses;
    return std::nullopt;
  }

  // `total_order co` and `total_order vo[x] on W[x]` in a framework give the witness its
  // shape, once.
  bool add_shape(const Statement& statement) {
    const Node& node = program_[statement.formula];
    if (node.kind != NodeKind::TotalOrder) return false;
    const Node& relation = program_[node.children[0]];
    if (relation.kind != NodeKind::Name) return false;
    const WitnessSyntax* syntax = witness_named(framework_, relation.text);
    if (syntax == nullptr) return false;
    const std::size_t index =
        static_cast<std::size_t>(syntax - framework_.witnesses.data());
    Witness& witness = out_.witnesses[index];
    if (witness.is_total_order || relation.children.size() != syntax->keys.size())
      return false;
    if (witness.is_keyed) {
      const Node& key = program_[relation.children[0]];
      if (key.kind != NodeKind::Name || key.text != syntax->keys.front().name) return false;
      bind_variable(key.text, Sort::Key);
    }
    Elaborated formula = elaborate(statement.formula);
    if (formula) {
      witness.is_total_order = true;
      witness.on = out_.terms[formula->id].arguments()[1];
    }
    if (witness.is_keyed) {
      unbind_variable();
      if (formula) formula = *builder_.quantified(Op::Forall, Sort::Key, depth_, *formula);
    }
    if (formula) add_axiom(name_of(framework_, statement), formula->id, Shape::Yes);
    return true;
  }

  enum class Shape : bool { No, Yes };

  static std::string name_of(const Block& block, const Statement& statement) {
    return std::string(statement.name.empty() ? block.name : statement.name);
  }

  void add_axiom(std::string name, TermId formula, Shape shape) {
    const bool is_known = std::any_of(
        out_.axioms.begin(), out_.axioms.end(),
        [&](const Axiom& axiom) { return axiom.name == name && axiom.formula == formula; });
    if (!is_known)
      out_.axioms.push_back({.name = std::move(name),
                             .formula = formula,
                             .is_base = false,
                             .is_shape = shape == Shape::Yes});
  }

  // A statement as axioms: an unnamed conjunction is several, and a level in it brings its
  // own.
  void add_axioms(const Block& block, const Statement& statement) {
    if (!statement.name.empty()) {
      add_formula(block, statement, statement.formula);
      return;
    }
    std::vector<NodeId> parts{statement.formula};
    while (!parts.empty()) {
      const NodeId part = parts.back();
      parts.pop_back();
      const Node& node = program_[part];
      if (node.kind == NodeKind::And) {
        parts.push_back(node.children[1]);
        parts.push_back(node.children[0]);
      } else if (const Block* level = level_meant(node)) {
        if (may_use(*level, node.place)) add_level(*level);
      } else {
        add_formula(block, statement, part);
      }
    }
  }

  void add_formula(const Block& block, const Statement& statement, NodeId formula) {
    const Elaborated value = elaborate(formula);
    if (!value) return;
    if (value->shape != Value::Shape::Term || value->type.kind != Kind::Formula) {
      fail(program_[formula].place,
           fmt::format("expected a formula, found {}", description(*value)));
      return;
    }
    add_axiom(name_of(block, statement), value->id, Shape::No);
  }

  // The level that a node names, if it is one: RA, cerone:RA, PL-2+.
  const Block* level_meant(const Node& node) {
    if (node.kind == NodeKind::LevelName)
      return level_named(program_, node.second_text,
                         framework_named(program_, node.text, scope_.seen), scope_.seen);
    if (node.kind == NodeKind::Plus) {
      const Node& inner = program_[node.children[0]];
      if (inner.kind != NodeKind::Name || is_other_name(inner.text)) return nullptr;
      return level_by_bare_name(std::string(inner.text) + "+");
    }
    if (node.kind != NodeKind::Name || !node.children.empty() || is_other_name(node.text))
      return nullptr;
    return level_by_bare_name(node.text);
  }

  const Block* level_by_bare_name(std::string_view name) {
    if (const Block* own = level_named(program_, name, &framework_, scope_.seen))
      return own;
    return level_named(program_, name, nullptr, scope_.seen);
  }

  bool is_other_name(std::string_view name) {
    return bound_value(name) != nullptr || let_meant(name).let != nullptr ||
           witness_named(framework_, name) != nullptr || given_named(name) != nullptr;
  }

  bool may_use(const Block& level, Place place) {
    if (std::find(levels_.begin(), levels_.end(), &level) != levels_.end()) {
      fail(place, fmt::format("level '{}' is defined by itself", level.name));
      return false;
    }
    if (framework_of(program_, level) == &framework_) return true;
    if (level.framework == framework_.name)
      fail(place, fmt::format("level '{}' is of another framework '{}', which the "
                              "definition in this file hides",
                              level.name, level.framework));
    else
      fail(place, fmt::format("level '{}' is of framework {}, it cannot be used in "
                              "framework {}",
                              level.name, level.framework, framework_.name));
    return false;
  }

  // A level inside of a formula: the conjunction of its own axioms.
  Elaborated level_as_formula(const Block& level, Place place) {
    if (!may_use(level, place)) return std::nullopt;
    const std::size_t errors_before = errors_.size();
    std::vector<Axiom> outside = std::exchange(out_.axioms, {});
    add_level(level);
    const std::vector<Axiom> axioms = std::exchange(out_.axioms, std::move(outside));
    if (errors_.size() != errors_before) return std::nullopt;
    Value all = *builder_.build(NodeKind::True, {});
    for (std::size_t i = 0; i < axioms.size(); ++i) {
      const Value one{Value::Shape::Term, axioms[i].formula, {}};
      const Value both[] = {all, one};
      all = i == 0 ? one : *builder_.build(NodeKind::And, both);
    }
    return all;
  }

  Elaborated elaborate(NodeId id) {
    const Node& node = program_[id];
    if (++steps_ > steps_max || nesting_ >= nesting_max) return give_up(node.place);
    ++nesting_;
    const Elaborated out = elaborate(node);
    --nesting_;
    return out;
  }

  Elaborated elaborate(const Node& node) {
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

  Elaborated operation(const Node& node) {
    const std::optional<std::vector<Value>> operands = all_of(operand_nodes(node));
    if (!operands) return std::nullopt;
    if (node.kind == NodeKind::Call) {
      out_.uses_values = true;
      return checked(
          node.place,
          builder_.call(node.text == "writes" ? Op::Writes : Op::Reads, *operands));
    }
    return checked(node.place, builder_.build(node.kind, *operands));
  }

  // (t, u) in r has three operands.
  std::vector<NodeId> operand_nodes(const Node& node) {
    if (node.kind != NodeKind::In) return node.children;
    const Node& left = program_[node.children[0]];
    if (left.kind != NodeKind::Pair) return node.children;
    return {left.children[0], left.children[1], node.children[1]};
  }

  std::optional<std::vector<Value>> all_of(const std::vector<NodeId>& nodes) {
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

  Elaborated type_name(const Node& node) {
    auto& names = out_.type_names;
    auto found = std::find(names.begin(), names.end(), node.text);
    if (found == names.end()) found = names.emplace(names.end(), node.text);
    return builder_.make(Op::TypeNamed, {Kind::Set, Sort::Txn, Sort::Txn},
                         static_cast<std::uint32_t>(found - names.begin()), {});
  }

  void note_sort(Sort sort) {
    out_.uses_events = out_.uses_events || sort == Sort::Read;
    out_.uses_values = out_.uses_values || sort == Sort::Val;
  }

  Value bind_variable(std::string_view name, Sort sort) {
    const Value variable =
        builder_.make(Op::Variable, {Kind::Element, sort, Sort::Txn}, depth_++, {});
    scope_.bindings.push_back({name, variable});
    note_sort(sort);
    return variable;
  }

  void unbind_variable() {
    scope_.bindings.pop_back();
    --depth_;
  }

  bool has_room(std::size_t variables, Place place) {
    if (depth_ + variables <= Terms::variable_count_max) return true;
    fail(place,
         fmt::format("more than {} variables are nested here", Terms::variable_count_max));
    return false;
  }

  Elaborated quantifier(const Node& node) {
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

  const Value* bound_value(std::string_view name) const {
    for (std::size_t i = scope_.bindings.size(); i-- > 0;)
      if (scope_.bindings[i].name == name) return &scope_.bindings[i].value;
    return nullptr;
  }

  struct FoundLet {
    const Let* let = nullptr;
    const Block* block = nullptr;
  };

  FoundLet let_meant(std::string_view name) const {
    if (scope_.block != nullptr)
      if (const Let* let = let_named(scope_.block->lets, name)) return {let, scope_.block};
    if (const Let* let = let_named(framework_.lets, name)) return {let, &framework_};
    return {let_named(program_, name, scope_.seen), nullptr};
  }

  Elaborated name(const Node& node) {
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

  // The index of wr[x]; absent after a complaint.
  std::optional<TermId> key_index(const Node& node) {
    if (node.children.size() != 1)
      return fail(node.place, fmt::format("'{}' takes one index, a key", node.text));
    const Elaborated value = elaborate(node.children[0]);
    if (!value) return std::nullopt;
    const auto key = builder_.fit(*value, {Kind::Element, Sort::Key, Sort::Txn});
    if (!key) return fail(program_[node.children[0]].place, key.error());
    return *key;
  }

  Elaborated indexed(const Node& node, Op op, Type type, std::uint32_t number,
                     bool takes_key) {
    if (node.children.empty()) return builder_.make(op, type, number, {});
    if (!takes_key) return fail(node.place, fmt::format("'{}' takes no index", node.text));
    const std::optional<TermId> key = key_index(node);
    if (!key) return std::nullopt;
    return builder_.make(op, type, number, {*key});
  }

  Elaborated witness_relation(const Node& node, const WitnessSyntax& witness) {
    const auto number = static_cast<std::uint32_t>(&witness - framework_.witnesses.data());
    return indexed(node, Op::Witness, {Kind::Relation, Sort::Txn, Sort::Txn}, number,
                   !witness.keys.empty());
  }

  Elaborated given_term(const Node& node, const GivenName& given) {
    if (given.op == Op::Identity && node.children.empty())
      return Value{Value::Shape::Identity, TermId::none(), given.type};
    note_sort(given.type.first);
    note_sort(given.type.second);
    return indexed(node, given.op, given.type, given.number, given.takes_key);
  }

  static bool has_only_keys(const Let& let) {
    return !let.parameters.empty() &&
           std::all_of(let.parameters.begin(), let.parameters.end(),
                       [](const Variable& one) { return one.sort == "Key"; });
  }

  Elaborated expand(const Node& node, const FoundLet& found) {
    const Let& let = *found.let;
    if (std::find(expanding_.begin(), expanding_.end(), &let) != expanding_.end())
      return fail(node.place, fmt::format("'{}' is defined by itself", let.name));
    const bool is_union = node.children.empty() && has_only_keys(let);
    if (!is_union && node.children.size() != let.parameters.size())
      return fail_arity(node, let);
    const std::optional<std::vector<Value>> arguments = all_of(node.children);
    if (!arguments) return std::nullopt;
    Scope inside{.block = found.block, .seen = seen_from(let.place), .bindings = {}};
    for (std::size_t i = 0; i < arguments->size(); ++i) {
      if (!has_sort((*arguments)[i], let.parameters[i], node)) return std::nullopt;
      inside.bindings.push_back({let.parameters[i].name, (*arguments)[i]});
    }
    const std::size_t keys = is_union ? let.parameters.size() : 0;
    if (!has_room(keys, node.place)) return std::nullopt;
    const Scope outside = std::exchange(scope_, std::move(inside));
    uses_.push_back(node.place);
    expanding_.push_back(&let);
    for (std::size_t i = 0; i < keys; ++i)
      bind_variable(let.parameters[i].name, Sort::Key);
    Elaborated out = elaborate(let.body);
    for (std::size_t i = 0; i < keys; ++i) {
      unbind_variable();
      if (out)
        out = checked(program_[let.body].place, builder_.union_of_keys(depth_, *out));
    }
    expanding_.pop_back();
    uses_.pop_back();
    scope_ = outside;
    if (found.block == nullptr) note_use(used_lets_, let);
    return out;
  }

  template <class Definition>
  static void note_use(std::vector<const Definition*>& used, const Definition& one) {
    if (std::find(used.begin(), used.end(), &one) == used.end()) used.push_back(&one);
  }

  std::nullopt_t fail_arity(const Node& node, const Let& let) {
    const std::size_t wanted = let.parameters.size();
    return fail(node.place,
                fmt::format("'{}' takes {}, found {}", let.name,
                            wanted == 0   ? "no arguments"
                            : wanted == 1 ? "one argument"
                                          : fmt::format("{} arguments", wanted),
                            node.children.size()),
                {note_at(program_, let.place, "defined here")});
  }

  bool has_sort(const Value& argument, const Variable& parameter, const Node& node) {
    if (parameter.sort.empty()) return true;
    const Type wanted{Kind::Element, *sort_named(parameter.sort), Sort::Txn};
    const auto fitting = builder_.fit(argument, wanted);
    if (fitting) return true;
    fail(node.place, fmt::format("argument '{}': {}", parameter.name, fitting.error()));
    return false;
  }

  const Program& program_;
  const Block& framework_;
  Level& out_;
  Diagnostics& errors_;
  TermBuilder builder_;
  Scope scope_;
  std::uint32_t depth_ = 0;  // of quantifiers
  std::size_t steps_ = 0;
  std::size_t nesting_ = 0;
  bool has_given_up_ = false;
  std::vector<Place> uses_;  // of the lets being expanded, outermost first
  std::vector<const Let*> expanding_;
  std::vector<const Let*> used_lets_;  // those outside of blocks
  std::vector<const Block*> used_levels_;
  std::vector<const Block*> levels_;  // being written out
};

}  // namespace

Level elaborate_framework(const Program& program, const Block& framework,
                          Diagnostics& errors) {
  Level out;
  out.framework = framework.name;
  Elaborator(program, framework, out, errors).add_framework();
  return out;
}

Level elaborate_level(const Program& program, const Block& level, Diagnostics& errors) {
  const Block* framework = framework_of(program, level);
  ISOMER_ASSERT(framework != nullptr);
  Level out;
  out.name = level.name;
  out.framework = level.framework;
  out.title = level.title;
  const Source& source = program.sources[level.place.source];
  if (!source.is_standard) out.file = source.file;
  Elaborator elaborator(program, *framework, out, errors);
  elaborator.add_framework();
  elaborator.add_level(level);
  out.text = elaborator.text_of(level.extent);
  out.context = elaborator.context();
  return out;
}

}  // namespace isomer::level
