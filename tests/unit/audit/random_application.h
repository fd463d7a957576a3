// SPDX-License-Identifier: MIT
// Small SQL applications and scenarios of them, drawn at random.
#pragma once

#include <string>

#include "base/random.h"

namespace isomer::test {

struct RandomApplication {
  std::string sql;       // tables and two or three procedures
  std::string scenario;  // rows, and one call a session, without the line `app = ..`
};

RandomApplication random_application(Random& random);

// With texts, numbers, dates, truth values and NULL in place of integers, and conversions
// between their types (random_typed.cpp).
RandomApplication random_typed_application(Random& random);
std::string random_typed_invariants(Random& random);  // of them, as part of a scenario

}  // namespace isomer::test
