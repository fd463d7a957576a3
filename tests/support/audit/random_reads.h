// SPDX-License-Identifier: MIT
// Small applications that all have the same anomaly to begin with: transactions that read
// what others write.  They differ in what becomes of the read: nothing, a write, a
// condition, a result, an exception.  So some of these anomalies do harm and some do not,
// and the texts that tell them apart are small.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"

namespace isomer::test {

// Tables t and u, and one to three routines p0, p1, .. (i int, j int).
std::string random_readers(Random& random);

// Rows for these tables, perhaps none, with NULL; and this many calls, one a session, of
// routines below the count.
std::string random_readers_scenario(Random& random,
                                    const std::vector<std::uint32_t>& types);

}  // namespace isomer::test
