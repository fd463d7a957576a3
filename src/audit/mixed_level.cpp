// SPDX-License-Identifier: MIT
#include "audit/mixed_level.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/assert.h"
#include "level/level.h"
#include "level/rewrite.h"

namespace isomer::audit {
namespace {

using level::Kind;
using level::Level;
using level::Op;
using level::Sort;
using level::TermId;

constexpr level::Type txn_set{Kind::Set, Sort::Txn, Sort::Txn};

class Mixer {
 public:
  explicit Mixer(const Plan& plan) : plan_(plan), out_(plan.levels.front()), maker_(out_) {
    out_.axioms.clear();
    out_.name = "Mixed";
    ar_ = maker_.witness(witness_named(out_, "ar"));
    vis_ = maker_.witness(witness_named(out_, "vis"));
  }

  Level run() {
    for (std::uint32_t i = 0; i < plan_.levels.size(); ++i)
      add_level(i);
    for (const auto& group : plan_.serial)
      add_serial(group);
    out_.text = text();
    return std::move(out_);
  }

 private:
  void add(const level::Axiom& axiom) {
    const auto is_same = [&](const level::Axiom& other) {
      return other.formula == axiom.formula;
    };
    if (out_.terms[axiom.formula].op == Op::True ||
        std::any_of(out_.axioms.begin(), out_.axioms.end(), is_same))
      return;
    out_.axioms.push_back(axiom);
  }

  void add_level(std::uint32_t number) {
    const Level& level = plan_.levels[number];
    std::vector<TermId> meanings(level.witnesses.size());
    meanings[witness_named(level, "vis")] = vis_;
    meanings[witness_named(level, "ar")] = ar_;
    level::Import import(level, out_, meanings);
    const bool is_for_all = std::all_of(plan_.level_of.begin(), plan_.level_of.end(),
                                        [&](std::uint32_t of) { return of == number; });
    for (level::Axiom axiom : level.axioms) {
      axiom.formula = import(axiom.formula);
      if (!axiom.is_base && !is_for_all)
        axiom.formula = promised(axiom.formula, promise_to(number));
      add(axiom);
    }
  }

  TermId truth() { return maker_.formula(Op::True, {}); }

  TermId types(const std::vector<std::uint32_t>& chosen) {
    std::optional<TermId> out;
    for (const std::uint32_t type : chosen) {
      auto& names = out_.type_names;
      const auto found = std::find(names.begin(), names.end(), plan_.type_names[type]);
      const auto number = static_cast<std::uint32_t>(found - names.begin());
      if (found == names.end()) names.push_back(plan_.type_names[type]);
      const TermId one = maker_.make(Op::TypeNamed, txn_set, number, {});
      out = out ? maker_.make(Op::Union, txn_set, 0, std::array{*out, one}) : one;
    }
    return out ? *out : maker_.make(Op::Empty, txn_set, 0, {});
  }

  // Pairs whose later transaction has the level.
  TermId promise_to(std::uint32_t number) {
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t type = 0; type < plan_.level_of.size(); ++type)
      if (plan_.level_of[type] == number) chosen.push_back(type);
    const TermId all = maker_.make(Op::Domain, txn_set, 0, {});
    return maker_.relation(Op::Intersection,
                           {ar_, maker_.relation(Op::Product, {all, types(chosen)})});
  }

  TermId promised(TermId id, TermId pairs) {
    const level::Term term = out_.terms[id];
    if (term.op == Op::And)
      return maker_.formula(Op::And, {promised(term.argument_ids[0], pairs),
                                      promised(term.argument_ids[1], pairs)});
    if (term.op == Op::Forall && term.type.first == Sort::Key)
      return maker_.make(Op::Forall, term.type, term.number,
                         std::array{promised(term.argument_ids[0], pairs)});
    if (term.op != Op::In || out_.terms[term.argument_ids[0]].type != level::txn_relation)
      return truth();
    return maker_.formula(Op::In,
                          {maker_.relation(Op::Intersection, {term.argument_ids[0], pairs}),
                           term.argument_ids[1]});
  }

  // A pair of a type with itself is written [t, t]; [t, u] says nothing of two t.
  void add_serial(const std::vector<std::uint32_t>& group) {
    std::optional<TermId> pairs;
    for (std::size_t i = 0; i < group.size(); ++i)
      for (std::size_t j = 0; j < group.size(); ++j) {
        if (i == j) continue;
        const TermId pair =
            maker_.relation(Op::Product, {types({group[i]}), types({group[j]})});
        pairs = pairs ? maker_.relation(Op::Union, {*pairs, pair}) : pair;
      }
    if (!pairs) return;
    add({.name = "Serial",
         .formula = maker_.formula(
             Op::In, {maker_.relation(Op::Intersection, {ar_, *pairs}), vis_}),
         .is_base = false,
         .is_shape = false});
  }

  // As a level file has it; empty if an axiom has no such text.
  [[nodiscard]] std::string text() const {
    std::string out = fmt::format("level {} : {} {{\n", out_.name, out_.framework);
    for (const level::Axiom& axiom : out_.axioms) {
      if (axiom.is_base || axiom.is_shape) continue;
      const std::string formula = formula_text(axiom.formula);
      if (formula.empty()) return "";
      out += fmt::format("  axiom {}: {}\n", axiom.name, formula);
    }
    return out + "}\n";
  }

  [[nodiscard]] std::string formula_text(TermId id) const {
    const level::Term& term = out_.terms[id];
    if (term.op == Op::In) return level::text_of(out_, id);
    if (term.op != Op::Forall || term.number != 0 || term.type.first != Sort::Key)
      return "";
    const std::string inner = formula_text(term.argument_ids[0]);
    return inner.empty() ? "" : fmt::format("forall x: Key {{ {} }}", inner);
  }

  const Plan& plan_;
  Level out_;
  level::TermMaker maker_;
  TermId ar_;
  TermId vis_;
};

}  // namespace

std::uint32_t witness_named(const Level& level, std::string_view name) {
  const auto found =
      std::find_if(level.witnesses.begin(), level.witnesses.end(),
                   [&](const level::Witness& witness) { return witness.name == name; });
  ISOMER_ASSERT(found != level.witnesses.end());
  return static_cast<std::uint32_t>(found - level.witnesses.begin());
}

level::Level mixed_level(const Plan& plan) {
  return Mixer(plan).run();
}

}  // namespace isomer::audit
