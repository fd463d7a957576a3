// SPDX-License-Identifier: MIT
// Random well-typed SQL expressions, and random values for what they mention.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "program/ir.h"

namespace isomer::verify {

// Every type of SQL values, with and without modifiers.
std::vector<program::Type> all_types();

program::Value random_value(Random& random, const program::Type& type);

// Variable i, symbol i, field i of the record variable and column i of each source have
// type i of `all_types`, or what that counts up to.
struct ExpressionShape {
  std::uint32_t record = 0;        // the record variable
  std::uint32_t source_count = 2;  // in each of the two scopes
  bool has_group = false;          // aggregates are allowed
};

class ExpressionMaker {
 public:
  ExpressionMaker(Random& random, const ExpressionShape& shape)
      : random_(random), shape_(shape), types_(all_types()) {}

  program::ExpressionPtr make(program::TypeKind kind, int depth);

 private:
  using Arguments = std::vector<program::ExpressionPtr>;

  program::TypeKind any_kind();
  program::TypeKind integer_up_to(program::TypeKind kind);
  std::uint32_t type_of_kind(program::TypeKind kind);
  program::ExpressionPtr leaf(program::TypeKind kind);
  program::ExpressionPtr finished(program::Expression expression);
  program::ExpressionPtr call(program::Function function, Arguments arguments,
                              program::TypeKind kind);
  program::ExpressionPtr cast(program::TypeKind from, program::TypeKind to, int depth);
  program::ExpressionPtr aggregate(program::TypeKind kind, int depth);
  program::ExpressionPtr choice(program::TypeKind kind, int depth);
  program::ExpressionPtr truth(int depth);
  program::ExpressionPtr integer(program::TypeKind kind, int depth);
  program::ExpressionPtr numeric(int depth);
  program::ExpressionPtr text(int depth);
  program::ExpressionPtr date(int depth);

  Random& random_;
  ExpressionShape shape_;
  std::vector<program::Type> types_;
  std::uint32_t count_ = 0;  // each node has a place of its own
};

}  // namespace isomer::verify
