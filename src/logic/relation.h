// SPDX-License-Identifier: MIT
// Relations over small domains as matrices of circuit nodes: the relational part of bounded
// relational logic (Torlak & Jackson, TACAS'07).  Cells that are constant cost nothing.
#pragma once

#include <vector>

#include "base/matrix.h"
#include "logic/circuit.h"

namespace isomer::logic {

using Set = std::vector<Bit>;
using Relation = Matrix<Bit>;

Relation unite(Circuit& circuit, const Relation& a, const Relation& b);
Relation intersect(Circuit& circuit, const Relation& a, const Relation& b);
Relation difference(Circuit& circuit, const Relation& a, const Relation& b);
Relation compose(Circuit& circuit, const Relation& a, const Relation& b);
Relation product(Circuit& circuit, const Set& a, const Set& b);
Relation inverse(const Relation& a);
Relation identity(const Set& on);

// The transitive closure, by Warshall's algorithm.
Relation closure(Circuit& circuit, const Relation& a);

Bit some(Circuit& circuit, const Relation& a);  // not empty
Bit irreflexive(Circuit& circuit, const Relation& a);
Bit acyclic(Circuit& circuit, const Relation& a);

// counts[i]: at least i + 1 of the bits hold, for i < limit.
std::vector<Bit> count(Circuit& circuit, const std::vector<Bit>& bits, std::size_t limit);

}  // namespace isomer::logic
