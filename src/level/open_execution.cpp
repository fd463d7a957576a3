// SPDX-License-Identifier: MIT
#include "level/encode.h"
#include "logic/relation.h"

namespace isomer::level {
namespace {

using logic::constant;
using logic::false_bit;
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

Execution<Bit> open_execution(Circuit& circuit, const Level& level, const Given<Bit>& given,
                              std::vector<Bit>& facts) {
  Execution<Bit> out;
  for (std::uint32_t index = 0; index < level.witnesses.size(); ++index) {
    const Witness& witness = level.witnesses[index];
    auto& tables = out.emplace_back();
    for (std::size_t key = 0; key < (witness.is_keyed ? given.key_count() : 1); ++key) {
      if (circuit.is_exhausted()) return out;
      if (witness.is_total_order) {
        const Relation order = open_order(circuit, given.txn_count(), facts);
        tables.push_back(restrict_order(circuit, level, index, key, order, given));
        continue;
      }
      Relation table = any_relation(circuit, given.txn_exists);
      for (std::size_t i = 0; i < table.rows(); ++i)
        for (std::size_t j = 0; j < table.columns(); ++j)
          facts.push_back(circuit.implies(
              table(i, j), circuit.both(given.txn_exists[i], given.txn_exists[j])));
      tables.push_back(std::move(table));
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

Given<Bit> constant_given(const Given<Truth>& given) {
  Given<Bit> out;
  out.txn_exists = constants(given.txn_exists);
  out.key_exists = constants(given.key_exists);
  out.value_exists = constants(given.value_exists);
  out.read_exists = constants(given.read_exists);
  out.so = constants(given.so);
  out.writers = constants_of_each<Set>(given.writers);
  out.readers = constants_of_each<Set>(given.readers);
  out.wr = constants_of_each<Relation>(given.wr);
  out.rf = constants_of_each<Relation>(given.rf);
  out.po = constants(given.po);
  out.writes = constants_of_each<Relation>(given.writes);
  out.reads = constants_of_each<Relation>(given.reads);
  for (std::size_t flaw = 0; flaw < flaw_count; ++flaw)
    out.flawed[flaw] = constants(given.flawed[flaw]);
  for (const auto& [name, cells] : given.typed)
    out.typed.emplace(name, constants(cells));
  return out;
}

Execution<Bit> constant_execution(const Execution<Truth>& execution) {
  Execution<Bit> out;
  for (const auto& tables : execution)
    out.push_back(constants_of_each<Relation>(tables));
  return out;
}

}  // namespace isomer::level
