// SPDX-License-Identifier: MIT
// Random statements over rows that are computed: subqueries and VALUES in FROM, WITH, UNION
// and its kin.  Each gives its rows in one order, and none can fail.
#pragma once

#include "base/random.h"
#include "support/random_sql/random_array.h"

namespace isomer::test {

FunctionText random_computed_function(Random& random);

}  // namespace isomer::test
