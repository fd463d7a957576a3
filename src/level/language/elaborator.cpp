// SPDX-License-Identifier: MIT
// From syntax to terms.  A let is expanded at each use, with the values of its arguments,
// so that one let serves relations of different sorts; variables are numbered by the depth
// of their quantifier at the place of use, so that nothing is captured.  A mistake inside
// a let is shown there, with the uses that led to it as notes.
//
// Expansion may blow up (lets that double), so steps, terms and depth are bounded.
#include "level/language/elaborator.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"

namespace isomer::level {
namespace {

constexpr std::size_t notes_max = 5;

}  // namespace

void Elaborator::add_framework() {
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

void Elaborator::add_level(const Block& level) {
  levels_.push_back(&level);
  const NameScope outside = std::exchange(scope_, scope_of(level));
  for (const Statement& statement : level.statements)
    add_axioms(level, statement);
  scope_ = outside;
  levels_.pop_back();
  if (!levels_.empty()) note_use(used_levels_, level);
}

std::string Elaborator::context() const {
  std::string out;
  for (const Let* let : used_lets_)
    out += text_of(let->extent) + "\n\n";
  out += text_of(framework_.extent);
  for (const Block* level : used_levels_)
    out += "\n\n" + text_of(level->extent);
  return out;
}

std::string Elaborator::text_of(const Extent& extent) const {
  return program_.sources[extent.source].text.substr(extent.begin,
                                                     extent.end - extent.begin);
}

Seen Elaborator::seen_from(Place place) const {
  return program_.is_standard(place) ? Seen::OnlyStandard : Seen::All;
}

NameScope Elaborator::scope_of(const Block& block) const {
  return {.block = &block, .seen = seen_from(block.place), .bindings = {}};
}

std::nullopt_t Elaborator::fail(Place place, std::string message, std::vector<Note> notes) {
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

Elaborated Elaborator::checked(Place place, const Typed& typed) {
  if (!typed) return fail(place, typed.error());
  if (builder_.is_too_large()) return give_up(place);
  return *typed;
}

std::nullopt_t Elaborator::give_up(Place place) {
  if (has_given_up_) return std::nullopt;
  has_given_up_ = true;
  if (!uses_.empty()) place = uses_.front();
  const std::vector<Place> uses = std::exchange(uses_, {});
  fail(place, "this becomes too large when its lets are written out");
  uses_ = uses;
  return std::nullopt;
}

bool Elaborator::add_shape(const Statement& statement) {
  const Node& node = program_[statement.formula];
  if (node.kind != NodeKind::TotalOrder) return false;
  const Node& relation = program_[node.children[0]];
  if (relation.kind != NodeKind::Name) return false;
  const WitnessSyntax* syntax = witness_named(framework_, relation.text);
  if (syntax == nullptr) return false;
  const std::size_t index = static_cast<std::size_t>(syntax - framework_.witnesses.data());
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

std::string Elaborator::name_of(const Block& block, const Statement& statement) {
  return std::string(statement.name.empty() ? block.name : statement.name);
}

void Elaborator::add_axiom(std::string name, TermId formula, Shape shape) {
  const bool is_known = std::any_of(
      out_.axioms.begin(), out_.axioms.end(),
      [&](const Axiom& axiom) { return axiom.name == name && axiom.formula == formula; });
  if (!is_known)
    out_.axioms.push_back({.name = std::move(name),
                           .formula = formula,
                           .is_base = false,
                           .is_shape = shape == Shape::Yes});
}

void Elaborator::add_axioms(const Block& block, const Statement& statement) {
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

void Elaborator::add_formula(const Block& block, const Statement& statement,
                             NodeId formula) {
  const Elaborated value = elaborate(formula);
  if (!value) return;
  if (value->shape != Value::Shape::Term || value->type.kind != Kind::Formula) {
    fail(program_[formula].place,
         fmt::format("expected a formula, found {}", description(*value)));
    return;
  }
  add_axiom(name_of(block, statement), value->id, Shape::No);
}

const Block* Elaborator::level_meant(const Node& node) {
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

const Block* Elaborator::level_by_bare_name(std::string_view name) {
  if (const Block* own = level_named(program_, name, &framework_, scope_.seen)) return own;
  return level_named(program_, name, nullptr, scope_.seen);
}

bool Elaborator::may_use(const Block& level, Place place) {
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

Elaborated Elaborator::level_as_formula(const Block& level, Place place) {
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
