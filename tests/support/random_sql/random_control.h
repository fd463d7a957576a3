// SPDX-License-Identifier: MIT
// Random PL/pgSQL bodies for random_sql.cpp: loops, branches, and what ends them.
#pragma once

#include <string>

#include "base/random.h"

namespace isomer::test {

// The body of a function that returns int.  Every loop ends.
std::string random_control(Random& random);

}  // namespace isomer::test
