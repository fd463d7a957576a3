// SPDX-License-Identifier: MIT
// Random functions about arrays: variables, what queries give, elements, loops.
#pragma once

#include <string>

#include "support/random_sql/random_expression.h"

namespace isomer::test {

struct FunctionText {
  std::string result;  // its type
  std::string body;
};

// What the functions below call.
extern const std::string_view array_callees;

// A function over tables t and u (random_sql.cpp), without arguments.
FunctionText random_array_function(Random& random);

}  // namespace isomer::test
