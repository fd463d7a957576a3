// SPDX-License-Identifier: MIT
#include "logic/relation.h"

#include <algorithm>

#include "base/assert.h"
#include "base/digraph.h"

namespace isomer::logic {
namespace {

template <class Combine>
Relation cellwise(const Circuit& circuit, const Relation& a, const Relation& b,
                  const Combine& combine) {
  ISOMER_ASSERT(a.rows() == b.rows());
  ISOMER_ASSERT(a.columns() == b.columns());
  Relation out(a.rows(), a.columns(), false_bit);
  for (std::size_t i = 0; i < a.rows() && !circuit.is_exhausted(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j)
      out(i, j) = combine(a(i, j), b(i, j));
  return out;
}

// Arcs that may be on a cycle: those inside a strongly connected component of what is
// possible at all.
Relation cyclic_part(const Relation& a) {
  const auto size = static_cast<std::uint32_t>(a.rows());
  std::vector<Arc> arcs;
  for (std::uint32_t i = 0; i < size; ++i)
    for (std::uint32_t j = 0; j < size; ++j)
      if (a(i, j) != false_bit) arcs.push_back({i, j});
  const Components components = strongly_connected_components(Digraph(size, arcs));
  Relation out(size, size, false_bit);
  for (const Arc& arc : arcs)
    if (components.component[arc.from] == components.component[arc.to])
      out(arc.from, arc.to) = a(arc.from, arc.to);
  return out;
}

}  // namespace

Relation unite(Circuit& circuit, const Relation& a, const Relation& b) {
  return cellwise(circuit, a, b, [&](Bit x, Bit y) { return circuit.either(x, y); });
}

Relation intersect(Circuit& circuit, const Relation& a, const Relation& b) {
  return cellwise(circuit, a, b, [&](Bit x, Bit y) { return circuit.both(x, y); });
}

Relation difference(Circuit& circuit, const Relation& a, const Relation& b) {
  return cellwise(circuit, a, b, [&](Bit x, Bit y) { return circuit.both(x, ~y); });
}

Relation compose(Circuit& circuit, const Relation& a, const Relation& b) {
  ISOMER_ASSERT(a.columns() == b.rows());
  Relation out(a.rows(), b.columns(), false_bit);
  std::vector<std::vector<Bit>> ways(b.columns());
  for (std::size_t i = 0; i < a.rows() && !circuit.is_exhausted(); ++i) {
    for (std::size_t k = 0; k < b.rows(); ++k) {
      if (a(i, k) == false_bit) continue;
      for (std::size_t j = 0; j < b.columns(); ++j)
        if (b(k, j) != false_bit) ways[j].push_back(circuit.both(a(i, k), b(k, j)));
    }
    for (std::size_t j = 0; j < b.columns(); ++j) {
      out(i, j) = circuit.any(ways[j]);
      ways[j].clear();
    }
  }
  return out;
}

Relation product(Circuit& circuit, const Set& a, const Set& b) {
  Relation out(a.size(), b.size(), false_bit);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      out(i, j) = circuit.both(a[i], b[j]);
  return out;
}

Relation inverse(const Relation& a) {
  Relation out(a.columns(), a.rows(), false_bit);
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j)
      out(j, i) = a(i, j);
  return out;
}

Relation identity(const Set& on) {
  Relation out(on.size(), on.size(), false_bit);
  for (std::size_t i = 0; i < on.size(); ++i)
    out(i, i) = on[i];
  return out;
}

Relation closure(Circuit& circuit, const Relation& a) {
  Relation out = a;
  for (std::size_t k = 0; k < a.rows() && !circuit.is_exhausted(); ++k)
    for (std::size_t i = 0; i < a.rows(); ++i) {
      if (out(i, k) == false_bit) continue;
      for (std::size_t j = 0; j < a.rows(); ++j)
        if (out(k, j) != false_bit)
          out(i, j) = circuit.either(out(i, j), circuit.both(out(i, k), out(k, j)));
    }
  return out;
}

Bit some(Circuit& circuit, const Relation& a) {
  std::vector<Bit> cells;
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t j = 0; j < a.columns(); ++j)
      cells.push_back(a(i, j));
  return circuit.any(cells);
}

Bit irreflexive(Circuit& circuit, const Relation& a) {
  std::vector<Bit> cells;
  for (std::size_t i = 0; i < a.rows(); ++i)
    cells.push_back(~a(i, i));
  return circuit.all(cells);
}

Bit acyclic(Circuit& circuit, const Relation& a) {
  return irreflexive(circuit, closure(circuit, cyclic_part(a)));
}

std::vector<Bit> count(Circuit& circuit, const std::vector<Bit>& bits, std::size_t limit) {
  std::vector<Bit> counts(limit, false_bit);
  for (const Bit bit : bits)
    for (std::size_t i = limit; i-- > 0;)
      counts[i] =
          circuit.either(counts[i], i == 0 ? bit : circuit.both(bit, counts[i - 1]));
  return counts;
}

}  // namespace isomer::logic
