// SPDX-License-Identifier: MIT
#include "level/least.h"

#include <algorithm>
#include <functional>

#include "base/assert.h"
#include "level/encoder.h"
#include "logic/relation.h"

namespace isomer::level {
namespace {

using logic::false_bit;

constexpr Type txn_relation{Kind::Relation, Sort::Txn, Sort::Txn};

enum class Direction { Grows, Shrinks };

// Whether a term's value can only move in this direction when the witnesses that are no
// orders grow.
bool moves_only(const Level& level, TermId id, Direction direction) {
  const Term& t = level.terms[id];
  const Direction opposite =
      direction == Direction::Grows ? Direction::Shrinks : Direction::Grows;
  const auto all = [&](Direction d) {
    return std::ranges::all_of(t.arguments(),
                               [&](TermId a) { return moves_only(level, a, d); });
  };
  switch (t.op) {
    case Op::Witness:
      return level.witnesses[t.number].is_total_order || direction == Direction::Grows;
    case Op::Difference:
    case Op::Implies:
    case Op::In: {
      // Difference grows on the left; an inclusion and an implication on the right.
      const bool left_grows = t.op == Op::Difference;
      return moves_only(level, t.arguments()[0], left_grows ? direction : opposite) &&
             moves_only(level, t.arguments()[1], left_grows ? opposite : direction);
    }
    case Op::IsEmpty:
    case Op::Acyclic:
    case Op::Irreflexive:
    case Op::Not:
      return all(opposite);
    case Op::Equal:
    case Op::Iff:
    case Op::Transitive:
    case Op::TotalOrder:
      return all(direction) && all(opposite);
    case Op::Total:
      return moves_only(level, t.arguments()[0], direction) &&
             moves_only(level, t.arguments()[1], opposite);
    default:
      return all(direction);
  }
}

// Reads the rules off the axioms, and notes whether anything else could need a larger v.
class RuleReader {
 public:
  explicit RuleReader(const Level& level) {
    out_.level = level;
    for (const Axiom& axiom : level.axioms)
      find_bounds(axiom.formula);
    out_.is_least_decided = true;
    for (const Axiom& axiom : level.axioms)
      if (!axiom.is_shape) read(axiom.formula);
  }

  LeastForm take() { return std::move(out_); }

 private:
  Terms& terms() { return out_.level.terms; }

  [[nodiscard]] bool is_free_witness(TermId id) const {
    const Term& t = out_.level.terms[id];
    return t.op == Op::Witness && !out_.level.witnesses[t.number].is_total_order &&
           !out_.level.witnesses[t.number].is_keyed;
  }

  // v in o, at the top level of an axiom.
  void find_bounds(TermId id) {
    const Term t = out_.level.terms[id];
    if (t.op == Op::And)
      for (const TermId argument : t.arguments())
        find_bounds(argument);
    if (t.op != Op::In || !is_free_witness(t.arguments()[0])) return;
    const Term& right = out_.level.terms[t.arguments()[1]];
    if (right.op == Op::Witness && out_.level.witnesses[right.number].is_total_order &&
        !out_.level.witnesses[right.number].is_keyed)
      bounds_.emplace_back(out_.level.terms[t.arguments()[0]].number, t.arguments()[1]);
  }

  [[nodiscard]] std::optional<TermId> bound_of(TermId witness) const {
    for (const auto& [v, order] : bounds_)
      if (v == out_.level.terms[witness].number) return order;
    return std::nullopt;
  }

  void read(TermId id) {
    const Term t = out_.level.terms[id];
    if (t.op == Op::And) {
      for (const TermId argument : t.arguments())
        read(argument);
      return;
    }
    if (t.op == Op::Forall) {
      bound_.push_back({t.number, t.type.first});
      read(t.arguments()[0]);
      bound_.pop_back();
      return;
    }
    if (!read_rule(t) && !moves_only(out_.level, id, Direction::Shrinks))
      out_.is_least_decided = false;
  }

  bool read_rule(const Term& t) {
    if (t.op == Op::Total) return read_total(t);
    if (t.op == Op::Transitive && is_free_witness(t.arguments()[0]))
      return add_rule(make(Op::Compose, t.arguments()[0], t.arguments()[0]),
                      t.arguments()[0]);
    if (t.op == Op::Related) return read_pair(t);
    if (t.op != Op::In) return false;
    if (is_free_witness(t.arguments()[1]))
      return add_rule(t.arguments()[0], t.arguments()[1]);
    return read_either_way(t.arguments()[0], t.arguments()[1]);
  }

  // (t, u) in v
  bool read_pair(const Term& t) {
    if (!is_free_witness(t.arguments()[2])) return false;
    const Type set{Kind::Set, Sort::Txn, Sort::Txn};
    const TermId left[] = {t.arguments()[0]};
    const TermId right[] = {t.arguments()[1]};
    const TermId pair[] = {terms().make(Op::Singleton, set, 0, left),
                           terms().make(Op::Singleton, set, 0, right)};
    return add_rule(terms().make(Op::Product, txn_relation, 0, pair), t.arguments()[2]);
  }

  // E in v | v^-1
  bool read_either_way(TermId body, TermId right) {
    const Term both = out_.level.terms[right];
    if (both.op != Op::Union) return false;
    TermId witness = both.arguments()[0];
    TermId reversed = both.arguments()[1];
    if (out_.level.terms[witness].op == Op::Inverse) std::swap(witness, reversed);
    if (!is_free_witness(witness) || out_.level.terms[reversed].op != Op::Inverse ||
        out_.level.terms[reversed].arguments()[0] != witness)
      return false;
    const TermId argument[] = {body};
    const TermId inverse = terms().make(Op::Inverse, txn_relation, 0, argument);
    // A pair (t, t) in E can never be in v, which lies inside an order; `In` itself stays
    // among the axioms and says so.
    return add_oriented(make(Op::Union, body, inverse), witness);
  }

  // total v on S: ((S * S) \ id) & o in v
  bool read_total(const Term& t) {
    if (!is_free_witness(t.arguments()[0])) return false;
    const TermId square[] = {t.arguments()[1], t.arguments()[1]};
    return add_oriented(terms().make(Op::Product, txn_relation, 0, square),
                        t.arguments()[0]);
  }

  bool add_oriented(TermId body, TermId witness) {
    const std::optional<TermId> order = bound_of(witness);
    return order && add_rule(make(Op::Intersection, body, *order), witness);
  }

  bool add_rule(TermId body, TermId witness) {
    if (!moves_only(out_.level, body, Direction::Grows)) return false;
    out_.rules.push_back({body, out_.level.terms[witness].number, bound_});
    return true;
  }

  TermId make(Op op, TermId a, TermId b) {
    const TermId arguments[] = {a, b};
    return terms().make(op, txn_relation, 0, arguments);
  }

  LeastForm out_;
  std::vector<std::pair<std::uint32_t, TermId>> bounds_;  // v and the order it lies in
  std::vector<Rule::Variable> bound_;                     // by the quantifiers around
};

bool mentions_free_witness(const Level& level, TermId id) {
  const Term& t = level.terms[id];
  if (t.op == Op::Witness && !level.witnesses[t.number].is_total_order) return true;
  return std::ranges::any_of(t.arguments(),
                             [&](TermId a) { return mentions_free_witness(level, a); });
}

// r ; v, with r = v or a total order of everything: applied once, it holds for good.
bool is_closing(const Level& level, const Rule& rule) {
  const Term& t = level.terms[rule.body];
  if (t.op != Op::Compose) return false;
  const Term& left = level.terms[t.arguments()[0]];
  const Term& right = level.terms[t.arguments()[1]];
  if (left.op != Op::Witness || right.op != Op::Witness) return false;
  return right.number == rule.witness &&
         (left.number == rule.witness || (level.witnesses[left.number].is_total_order &&
                                          level.witnesses[left.number].on.is_none()));
}

void for_each_binding(Encoder& encoder, std::span<const Rule::Variable> variables,
                      const std::function<void()>& visit) {
  if (variables.empty()) return visit();
  const std::size_t size = encoder.domain(variables[0].sort).size();
  for (std::size_t value = 0; value < size; ++value) {
    encoder.bind(variables[0].number, static_cast<std::uint16_t>(value));
    for_each_binding(encoder, variables.subspan(1), visit);
  }
}

class LeastSolver {
 public:
  LeastSolver(Circuit& circuit, const LeastForm& form, const HistoryTables<Bit>& tables,
              const Execution<Bit>& orders)
      : circuit_(circuit), form_(form), tables_(tables) {
    start(orders);
  }

  Execution<Bit> solve() {
    std::vector<const Rule*> base;
    std::vector<const Rule*> others;
    for (const Rule& rule : form_.rules)
      (mentions_free_witness(form_.level, rule.body) ? others : base).push_back(&rule);
    for (const Rule* rule : base)
      apply(*rule);
    const bool one_pass =
        others.empty() || (others.size() == 1 && is_closing(form_.level, *others[0]));
    for (std::size_t round = 0; round < (one_pass ? 1 : rounds_max()); ++round) {
      const Execution<Bit> before = execution_;
      for (const Rule* rule : others)
        apply(*rule);
      if (execution_ == before) break;
    }
    return std::move(execution_);
  }

 private:
  void start(const Execution<Bit>& orders) {
    const Level& level = form_.level;
    for (std::uint32_t index = 0; index < level.witnesses.size(); ++index) {
      auto& relations = execution_.emplace_back();
      const Witness& witness = level.witnesses[index];
      for (std::size_t key = 0; key < (witness.is_keyed ? tables_.key_count() : 1); ++key)
        relations.push_back(
            witness.is_total_order
                ? restrict_order(circuit_, level, index, key, orders[index][key], tables_)
                : Relation(tables_.txn_count(), tables_.txn_count(), false_bit));
    }
  }

  // On a concrete history every round adds a pair or is the last.
  [[nodiscard]] std::size_t rounds_max() const {
    constexpr std::size_t rounds_if_open = 3;
    for (const auto& relations : execution_)
      for (std::size_t i = 0; i < tables_.txn_count(); ++i)
        for (std::size_t j = 0; j < tables_.txn_count(); ++j)
          if (!relations.front()(i, j).is_constant()) return rounds_if_open;
    return tables_.txn_count() * tables_.txn_count() * execution_.size();
  }

  void apply(const Rule& rule) {
    Relation& table = execution_[rule.witness].front();
    const Term& body = form_.level.terms[rule.body];
    if (is_closing(form_.level, rule) && body.arguments()[0] == body.arguments()[1]) {
      table = closure(circuit_, table);
      return;
    }
    Relation sum = table;
    Encoder encoder(circuit_, form_.level, tables_, execution_);
    for_each_binding(encoder, rule.variables,
                     [&] { sum = unite(circuit_, sum, encoder.relation(rule.body)); });
    table = std::move(sum);
  }

  Circuit& circuit_;
  const LeastForm& form_;
  const HistoryTables<Bit>& tables_;
  Execution<Bit> execution_;
};

// A union's parts, or the term itself.
void add_parts(const Level& level, TermId id, std::vector<TermId>& parts) {
  if (level.terms[id].op != Op::Union) return parts.push_back(id);
  for (const TermId argument : level.terms[id].arguments())
    add_parts(level, argument, parts);
}

struct Inclusion {
  TermId part;
  std::uint32_t witness;
};

// part in witness, for each inclusion that an axiom states.
void find_inclusions(const Level& level, TermId id, std::vector<Inclusion>& out) {
  const Term& t = level.terms[id];
  if (t.op == Op::And || t.op == Op::Forall)
    for (const TermId argument : t.arguments())
      find_inclusions(level, argument, out);
  if (t.op != Op::In || level.terms[t.arguments()[1]].op != Op::Witness) return;
  std::vector<TermId> parts;
  add_parts(level, t.arguments()[0], parts);
  for (const TermId part : parts)
    out.push_back({part, level.terms[t.arguments()[1]].number});
}

std::vector<Inclusion> inclusions(const Level& level) {
  std::vector<Inclusion> out;
  for (const Axiom& axiom : level.axioms)
    find_inclusions(level, axiom.formula, out);
  return out;
}

// The witnesses that include a relation recognised by `is_it`, directly or through others.
template <class Recognise>
bool reaches(const Level& level, std::uint32_t target, const Recognise& is_it) {
  const std::vector<Inclusion> known = inclusions(level);
  std::vector<bool> reached(level.witnesses.size(), false);
  for (std::size_t round = 0; round <= level.witnesses.size(); ++round)
    for (const Inclusion& inclusion : known) {
      const Term& part = level.terms[inclusion.part];
      const bool through = part.op == Op::Witness && reached[part.number];
      if (through || is_it(part)) reached[inclusion.witness] = true;
    }
  return reached[target];
}

}  // namespace

LeastForm least_form(const Level& level) {
  return RuleReader(level).take();
}

std::optional<std::uint32_t> main_order(const Level& level) {
  for (std::uint32_t index = 0; index < level.witnesses.size(); ++index) {
    const Witness& witness = level.witnesses[index];
    const bool is_of_all = witness.on.is_none() || level.terms[witness.on].op == Op::Domain;
    if (witness.is_total_order && !witness.is_keyed && is_of_all) return index;
  }
  return std::nullopt;
}

bool is_included(const Level& level, Op op, std::uint32_t witness) {
  return reaches(level, witness, [&](const Term& part) { return part.op == op; });
}

bool is_init_first(const Level& level, std::uint32_t order) {
  const auto is_init_product = [&](const Term& t) {
    if (t.op != Op::Product) return false;
    const Term& left = level.terms[t.arguments()[0]];
    return left.op == Op::Singleton && level.terms[left.arguments()[0]].op == Op::Init &&
           level.terms[t.arguments()[1]].op == Op::Domain;
  };
  return is_included(level, Op::So, order) || reaches(level, order, [&](const Term& part) {
           return part.op == Op::Difference &&
                  is_init_product(level.terms[part.arguments()[0]]) &&
                  level.terms[part.arguments()[1]].op == Op::Identity;
         });
}

Execution<Bit> orders_alike(const Level& level, const HistoryTables<Bit>& tables,
                            const Matrix<Bit>& order) {
  Execution<Bit> out;
  for (const Witness& witness : level.witnesses) {
    const std::size_t copies = witness.is_keyed ? tables.key_count() : 1;
    out.emplace_back(witness.is_total_order ? copies : 0, order);
  }
  return out;
}

Execution<Bit> least_execution(Circuit& circuit, const LeastForm& form,
                               const HistoryTables<Bit>& tables,
                               const Execution<Bit>& orders) {
  return LeastSolver(circuit, form, tables, orders).solve();
}

}  // namespace isomer::level
