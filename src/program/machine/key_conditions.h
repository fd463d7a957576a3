// SPDX-License-Identifier: MIT
// What the conjuncts of a WHERE or ON say of the sources of a FROM, and so which rows of a
// table a statement has to read.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "program/ir.h"

namespace isomer::program {

// A condition, and what it says of the last source that it mentions.
struct Conjunct {
  const Expression* condition = nullptr;
  std::optional<std::uint32_t> last;  // none: it mentions no source
  bool uses_key_only = true;          // of the last source, only columns of its key
};

std::vector<Conjunct> conjuncts_over(const Program& program, std::span<const Source> from,
                                     const Expression* condition);

// What the conjuncts say of the primary key of a source, given the sources before it.
struct KeyConditions {
  // By position in the primary key: a value that the column is equated with; null: none.
  std::vector<const Expression*> pins;
  std::vector<const Expression*> others;
  bool pins_all = false;
};

KeyConditions key_conditions(const Table& table, const std::vector<Conjunct>& conjuncts,
                             std::uint32_t source);

}  // namespace isomer::program
