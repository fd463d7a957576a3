// SPDX-License-Identifier: MIT
// A total order of n transactions has n(n-1)/2 variables and n^3/3 clauses, and each
// composition with it may have n^3 gates.  But frameworks say such things as `so | wr in
// co`: most pairs of a real history are settled before the search begins.
//
// So the axioms of the framework are encoded first, over relations that are all open, and
// read as clauses where they are clauses; unit propagation settles pairs.  Orders are
// closed transitively, which settles more, until nothing changes.  Then the relations are
// built again with what is settled as constants, and the circuit simplifies itself.
//
// Nothing here knows a particular framework; an axiom of another shape is left to the
// solver.
#include "check/narrow_execution.h"

#include <algorithm>
#include <cstdint>

namespace isomer::check {
namespace {

using level::Level;
using logic::Bit;
using logic::Circuit;
using logic::false_bit;
using logic::true_bit;
using Table = Matrix<Bit>;

// Values of the circuit's variables that follow from clauses.
class Propagation {
 public:
  explicit Propagation(const Circuit& circuit) : circuit_(circuit) {}

  // A fact: taken apart as far as it is a conjunction of clauses.
  void add_fact(Bit fact) {
    const auto inputs = circuit_.inputs(fact.node());
    if (fact == false_bit) is_contradictory_ = true;
    if (fact.is_constant()) return;
    if (inputs.empty()) return assign(fact);
    if (!fact.is_negated()) {
      for (const Bit input : inputs)
        add_fact(input);
      return;
    }
    if (inputs.size() > literals_max ||
        !std::all_of(inputs.begin(), inputs.end(),
                     [&](Bit b) { return circuit_.inputs(b.node()).empty(); }))
      return;
    const auto clause = static_cast<std::uint32_t>(clauses_.size());
    clauses_.emplace_back();
    for (const Bit input : inputs) {
      clauses_.back().push_back(~input);
      watchers(input).push_back(clause);
    }
    visit(clause);
  }

  void assign(Bit bit) {
    const Bit now = settled(bit);
    if (now == true_bit) return;
    if (now == false_bit) {
      is_contradictory_ = true;
      return;
    }
    values_.resize(std::max<std::size_t>(values_.size(), bit.node() + 1), 0);
    values_[bit.node()] = bit.is_negated() ? -1 : 1;
    pending_.push_back(bit);
  }

  void propagate() {
    while (!pending_.empty() && !is_contradictory_) {
      const Bit bit = pending_.back();
      pending_.pop_back();
      for (const std::uint32_t clause : std::vector(watchers(bit)))
        visit(clause);
    }
  }

  // The bit, or the constant that it is known to be.
  [[nodiscard]] Bit settled(Bit bit) const {
    if (bit.node() >= values_.size() || values_[bit.node()] == 0) return bit;
    return logic::constant((values_[bit.node()] > 0) != bit.is_negated());
  }

  [[nodiscard]] bool is_contradictory() const { return is_contradictory_; }

 private:
  static constexpr std::size_t literals_max = 4;

  // The clauses that get shorter when `bit` becomes true.
  std::vector<std::uint32_t>& watchers(Bit bit) {
    if (bit.code >= watchers_.size()) watchers_.resize(bit.code + 1);
    return watchers_[bit.code];
  }

  void visit(std::uint32_t clause) {
    Bit last = false_bit;
    for (const Bit literal : clauses_[clause]) {
      const Bit now = settled(literal);
      if (now == true_bit) return;
      if (now == false_bit) continue;
      if (last != false_bit) return;
      last = now;
    }
    if (last == false_bit)
      is_contradictory_ = true;
    else
      assign(last);
  }

  const Circuit& circuit_;
  std::vector<std::int8_t> values_;  // by node: 1, -1, or 0 if open
  std::vector<std::vector<Bit>> clauses_;
  std::vector<std::vector<std::uint32_t>> watchers_;  // by code
  std::vector<Bit> pending_;
  bool is_contradictory_ = false;
};

class Narrowing {
 public:
  Narrowing(Circuit& circuit, const Level& level, const level::Part& part,
            const level::OpenTables& open)
      : circuit_(circuit),
        level_(level),
        part_(part),
        tables_(open.tables),
        known_(circuit) {}

  NarrowExecution run() {
    make_tables();
    NarrowExecution result;
    result.execution = restricted();
    for (const level::Axiom& axiom : level_.axioms)
      if (axiom.is_base && !axiom.is_shape)
        known_.add_fact(
            level::encode(circuit_, level_, axiom.formula, tables_, result.execution));
    for (const Bit fact : level::version_facts(part_, level_, result.execution))
      known_.add_fact(fact);
    settle();
    result.is_contradictory = known_.is_contradictory();
    if (result.is_contradictory) return result;
    for (auto& relations : relations_)
      for (Table& table : relations)
        substitute(table);
    result.execution = restricted();
    add_constraints(result);
    return result;
  }

 private:
  template <class Visit>
  void for_each_table(Visit visit) {
    for (std::uint32_t w = 0; w < relations_.size(); ++w)
      for (std::size_t key = 0; key < relations_[w].size(); ++key)
        visit(w, key, relations_[w][key]);
  }

  // Which pairs the witness may relate.
  Table possible(std::uint32_t witness, std::size_t key) {
    const std::size_t size = tables_.txn_count();
    const Table all(size, size, true_bit);
    if (level_.witnesses[witness].is_total_order)
      return level::restrict_order(circuit_, level_, witness, key, all, tables_);
    Table result = all;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        result(i, j) = circuit_.both(tables_.txn_exists[i], tables_.txn_exists[j]);
    return result;
  }

  void make_tables() {
    for (std::uint32_t w = 0; w < level_.witnesses.size(); ++w) {
      const level::Witness& witness = level_.witnesses[w];
      relations_.emplace_back();
      possible_.emplace_back();
      for (std::size_t key = 0; key < (witness.is_keyed ? tables_.key_count() : 1); ++key) {
        possible_.back().push_back(possible(w, key));
        relations_.back().push_back(
            open_table(possible_.back().back(), witness.is_total_order));
      }
    }
  }

  Table open_table(const Table& allowed, bool is_order) {
    const std::size_t size = allowed.rows();
    Table table(size, size, false_bit);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        if (allowed(i, j) == false_bit || (is_order && j <= i)) continue;
        table(i, j) = circuit_.variable();
        if (is_order) table(j, i) = ~table(i, j);
      }
    return table;
  }

  level::Execution<Bit> restricted() {
    level::Execution<Bit> result = relations_;
    for_each_table([&](std::uint32_t w, std::size_t key, const Table& table) {
      if (!level_.witnesses[w].is_total_order) return;
      for (std::size_t i = 0; i < table.rows(); ++i)
        for (std::size_t j = 0; j < table.columns(); ++j)
          result[w][key](i, j) = circuit_.both(table(i, j), possible_[w][key](i, j));
    });
    return result;
  }

  void settle() {
    bool is_changed = true;
    while (is_changed && !known_.is_contradictory() && !circuit_.is_exhausted()) {
      known_.propagate();
      is_changed = false;
      for_each_table([&](std::uint32_t w, std::size_t, const Table& table) {
        if (level_.witnesses[w].is_total_order) is_changed |= close(table);
      });
    }
  }

  // What is settled of an order, closed transitively.
  bool close(const Table& table) {
    const std::size_t size = table.rows();
    Matrix<std::uint8_t> before(size, size, 0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        before(i, j) = i != j && known_.settled(table(i, j)) == true_bit ? 1 : 0;
    Matrix<std::uint8_t> closed = before;
    for (std::size_t k = 0; k < size && !circuit_.is_exhausted(); ++k)
      for (std::size_t i = 0; i < size; ++i)
        if (closed(i, k) != 0)
          for (std::size_t j = 0; j < size; ++j)
            closed(i, j) |= closed(k, j);
    bool is_changed = false;
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (closed(i, j) != before(i, j)) {
          known_.assign(table(i, j));
          is_changed = true;
        }
    return is_changed;
  }

  void substitute(Table& table) {
    for (std::size_t i = 0; i < table.rows(); ++i)
      for (std::size_t j = 0; j < table.columns(); ++j)
        table(i, j) = known_.settled(table(i, j));
  }

  void add_constraints(NarrowExecution& result) {
    for_each_table([&](std::uint32_t w, std::size_t key, const Table& table) {
      if (level_.witnesses[w].is_total_order) {
        add_order(table, possible_[w][key], result);
        return;
      }
      for (std::size_t i = 0; i < table.rows(); ++i)
        for (std::size_t j = 0; j < table.columns(); ++j)
          result.facts.push_back(circuit_.implies(table(i, j), possible_[w][key](i, j)));
    });
  }

  // No three transactions are ordered in a circle, either way round.
  void add_order(const Table& order, const Table& allowed, NarrowExecution& result) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < order.rows(); ++i)
      if (allowed(i, i) != false_bit) members.push_back(i);
    const auto forbid_circle = [&](Bit a, Bit b, Bit c) {
      if (a != false_bit && b != false_bit && c != false_bit)
        result.clauses.push_back({~a, ~b, ~c});
    };
    for (std::size_t a = 0; a < members.size() && !circuit_.is_exhausted(); ++a)
      for (std::size_t b = a + 1; b < members.size(); ++b)
        for (std::size_t c = b + 1; c < members.size(); ++c) {
          const std::size_t i = members[a];
          const std::size_t j = members[b];
          const std::size_t k = members[c];
          forbid_circle(order(i, j), order(j, k), order(k, i));
          forbid_circle(order(j, i), order(k, j), order(i, k));
        }
  }

  Circuit& circuit_;
  const Level& level_;
  const level::Part& part_;
  const level::HistoryTables<Bit>& tables_;
  Propagation known_;
  level::Execution<Bit> relations_;  // orders of all that may be in them
  level::Execution<Bit> possible_;
};

}  // namespace

NarrowExecution narrow_execution(Circuit& circuit, const Level& level,
                                 const level::Part& part, const level::OpenTables& open) {
  return Narrowing(circuit, level, part, open).run();
}

}  // namespace isomer::check
