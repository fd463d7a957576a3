// SPDX-License-Identifier: MIT
// Another table for the random applications: it refers to itself and to a column of t that
// is no primary key, with all actions, and has a default, a CHECK and a key of two columns.
// Its statements are longer, as people write them: several rows, OR and CASE, subqueries,
// guards, outer joins.
#pragma once

#include <string>
#include <vector>

#include "base/random.h"

namespace isomer::test {

std::string family_table(Random& random);
std::vector<std::string> family_rows(Random& random);
std::string family_statement(Random& random, bool is_script);

}  // namespace isomer::test
