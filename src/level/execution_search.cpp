// SPDX-License-Identifier: MIT
#include "level/execution_search.h"

#include "logic/relation.h"

namespace isomer::level {
namespace {

using logic::constant;
using logic::false_bit;
using logic::Finder;
using logic::Relation;
using logic::Set;

// A total order of everything: for i < j one variable says whether i is before j.  Each
// triple must not be a cycle, in either direction.
Relation open_order(Circuit& circuit, std::size_t size, std::vector<Bit>& facts) {
  Relation order(size, size, false_bit);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = i + 1; j < size; ++j) {
      order(i, j) = circuit.variable();
      order(j, i) = ~order(i, j);
    }
  for (std::size_t i = 0; i < size && !circuit.is_exhausted(); ++i)
    for (std::size_t j = i + 1; j < size; ++j)
      for (std::size_t k = j + 1; k < size; ++k) {
        const Bit forth[] = {order(i, j), order(j, k), order(k, i)};
        const Bit back[] = {order(j, i), order(k, j), order(i, k)};
        facts.push_back(~circuit.all(forth));
        facts.push_back(~circuit.all(back));
      }
  return order;
}

Relation any_relation(Circuit& circuit, const Set& exists) {
  Relation out(exists.size(), exists.size(), false_bit);
  for (std::size_t i = 0; i < exists.size(); ++i)
    for (std::size_t j = 0; j < exists.size(); ++j)
      if (exists[i] != false_bit && exists[j] != false_bit) out(i, j) = circuit.variable();
  return out;
}

}  // namespace

Execution<Bit> open_execution(Circuit& circuit, const Level& level,
                              const HistoryTables<Bit>& tables, std::vector<Bit>& facts) {
  Execution<Bit> out;
  for (std::uint32_t index = 0; index < level.witnesses.size(); ++index) {
    const Witness& witness = level.witnesses[index];
    auto& relations = out.emplace_back();
    for (std::size_t key = 0; key < (witness.is_keyed ? tables.key_count() : 1); ++key) {
      if (circuit.is_exhausted()) return out;
      if (witness.is_total_order) {
        const Relation order = open_order(circuit, tables.txn_count(), facts);
        relations.push_back(restrict_order(circuit, level, index, key, order, tables));
        continue;
      }
      Relation table = any_relation(circuit, tables.txn_exists);
      for (std::size_t i = 0; i < table.rows(); ++i)
        for (std::size_t j = 0; j < table.columns(); ++j)
          facts.push_back(circuit.implies(
              table(i, j), circuit.both(tables.txn_exists[i], tables.txn_exists[j])));
      relations.push_back(std::move(table));
    }
  }
  return out;
}

namespace {

Matrix<Bit> constants(const Matrix<Truth>& table) {
  Matrix<Bit> out(table.rows(), table.columns(), false_bit);
  for (std::size_t i = 0; i < table.rows(); ++i)
    for (std::size_t j = 0; j < table.columns(); ++j)
      out(i, j) = constant(table(i, j) != 0);
  return out;
}

std::vector<Bit> constants(const std::vector<Truth>& cells) {
  std::vector<Bit> out;
  for (const Truth cell : cells)
    out.push_back(constant(cell != 0));
  return out;
}

template <class Out, class In>
std::vector<Out> constants_of_each(const std::vector<In>& tables) {
  std::vector<Out> out;
  for (const In& table : tables)
    out.push_back(constants(table));
  return out;
}

}  // namespace

HistoryTables<Bit> constant_tables(const HistoryTables<Truth>& tables) {
  HistoryTables<Bit> out;
  out.txn_exists = constants(tables.txn_exists);
  out.key_exists = constants(tables.key_exists);
  out.value_exists = constants(tables.value_exists);
  out.read_exists = constants(tables.read_exists);
  out.so = constants(tables.so);
  out.writers = constants_of_each<Set>(tables.writers);
  out.readers = constants_of_each<Set>(tables.readers);
  out.wr = constants_of_each<Relation>(tables.wr);
  out.rf = constants_of_each<Relation>(tables.rf);
  out.po = constants(tables.po);
  out.writes = constants_of_each<Relation>(tables.writes);
  out.reads = constants_of_each<Relation>(tables.reads);
  for (std::size_t flaw = 0; flaw < flaw_count; ++flaw)
    out.flawed[flaw] = constants(tables.flawed[flaw]);
  for (const auto& [name, cells] : tables.typed)
    out.typed.emplace(name, constants(cells));
  return out;
}

Execution<Bit> constant_execution(const Execution<Truth>& execution) {
  Execution<Bit> out;
  for (const auto& tables : execution)
    out.push_back(constants_of_each<Relation>(tables));
  return out;
}

namespace {

std::vector<Truth> truths(Finder& finder, const std::vector<Bit>& cells) {
  std::vector<Truth> out;
  for (const Bit cell : cells)
    out.push_back(finder.value(cell) ? 1 : 0);
  return out;
}

Matrix<Truth> truths(Finder& finder, const Relation& table) {
  return concrete(finder, table);
}

template <class Out, class In>
std::vector<Out> truths_of_each(Finder& finder, const std::vector<In>& tables) {
  std::vector<Out> out;
  for (const In& table : tables)
    out.push_back(truths(finder, table));
  return out;
}

}  // namespace

Matrix<Truth> concrete(Finder& finder, const Matrix<Bit>& table) {
  Matrix<Truth> out(table.rows(), table.columns(), 0);
  for (std::size_t i = 0; i < table.rows(); ++i)
    for (std::size_t j = 0; j < table.columns(); ++j)
      out(i, j) = finder.value(table(i, j)) ? 1 : 0;
  return out;
}

HistoryTables<Truth> concrete(Finder& finder, const HistoryTables<Bit>& tables) {
  using Cells = std::vector<Truth>;
  using Table = Matrix<Truth>;
  HistoryTables<Truth> out;
  out.txn_exists = truths(finder, tables.txn_exists);
  out.key_exists = truths(finder, tables.key_exists);
  out.value_exists = truths(finder, tables.value_exists);
  out.read_exists = truths(finder, tables.read_exists);
  out.so = truths(finder, tables.so);
  out.writers = truths_of_each<Cells>(finder, tables.writers);
  out.readers = truths_of_each<Cells>(finder, tables.readers);
  out.wr = truths_of_each<Table>(finder, tables.wr);
  out.rf = truths_of_each<Table>(finder, tables.rf);
  out.po = truths(finder, tables.po);
  out.writes = truths_of_each<Table>(finder, tables.writes);
  out.reads = truths_of_each<Table>(finder, tables.reads);
  for (std::size_t flaw = 0; flaw < flaw_count; ++flaw)
    out.flawed[flaw] = truths(finder, tables.flawed[flaw]);
  for (const auto& [name, cells] : tables.typed)
    out.typed.emplace(name, truths(finder, cells));
  return out;
}

Execution<Truth> concrete(Finder& finder, const Execution<Bit>& execution) {
  Execution<Truth> out;
  for (const auto& tables : execution)
    out.push_back(truths_of_each<Matrix<Truth>>(finder, tables));
  return out;
}

using logic::SatAnswer;

ExecutionSearch::ExecutionSearch(Circuit& circuit, const Level& level,
                                 const HistoryTables<Bit>& tables,
                                 const Execution<Bit>& execution)
    : circuit_(circuit),
      level_(level),
      execution_(execution),
      finder_(circuit),
      axioms_(encode_axioms(circuit, level, tables, execution)) {}

void ExecutionSearch::require(std::span<const Bit> facts) {
  for (const Bit fact : facts)
    finder_.require(fact);
}

void ExecutionSearch::prefer_given_order() {
  for (std::size_t w = 0; w < execution_.size(); ++w)
    if (level_.witnesses[w].is_total_order)
      for (const Matrix<Bit>& table : execution_[w])
        for (std::size_t i = 0; i < table.rows(); ++i)
          for (std::size_t j = i + 1; j < table.columns(); ++j)
            if (circuit_.inputs(table(i, j).node()).empty()) finder_.prefer(table(i, j));
}

SatAnswer ExecutionSearch::find(const Budget& budget) {
  return finder_.solve(budget, axioms_);
}

SatAnswer ExecutionSearch::find_for_good(const Budget& budget) {
  require(axioms_);
  return finder_.solve(budget);
}

// By deletion, first of what comes first: the framework's axioms.
std::optional<std::vector<std::size_t>> ExecutionSearch::conflicting_axioms(
    const Budget& budget) {
  std::vector<std::size_t> core;
  for (std::size_t i = 0; i < axioms_.size(); ++i)
    if (axioms_[i] != logic::true_bit) core.push_back(i);
  for (std::size_t at = 0; at < core.size();) {
    std::vector<Bit> assumed;
    for (const std::size_t i : core)
      if (i != core[at]) assumed.push_back(axioms_[i]);
    const SatAnswer answer = finder_.solve(budget, assumed);
    if (answer == SatAnswer::Unknown) return std::nullopt;
    if (answer == SatAnswer::Unsatisfiable)
      core.erase(core.begin() + static_cast<std::ptrdiff_t>(at));
    else
      ++at;
  }
  return core;
}

}  // namespace isomer::level
