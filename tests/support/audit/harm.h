// SPDX-License-Identifier: MIT
// Do anomalies do harm?  Small applications that all have the same anomaly to begin with:
// transactions that read what others write.  They differ in what becomes of the read:
// nothing, a write, a condition, a result, an exception.  So some of these anomalies do
// harm and some do not, and the texts that tell them apart are small.
//
// Which is which is found by trying all: every history that explore finds against every
// order of what it commits, on the store.  Nothing of src/audit has a part in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "check/asked_level.h"
#include "program/ir.h"
#include "program/machine/machine.h"

namespace isomer::test {

// Tables t and u, and one to three routines p0, p1, .. (i int, j int).
std::string random_readers(Random& random);

// Rows for these tables, perhaps none, with NULL; and this many calls, one a session, of
// routines below the count.
std::string random_readers_scenario(Random& random,
                                    const std::vector<std::uint32_t>& types);

struct Outcomes {
  std::uint64_t histories = 0;
  bool is_complete = false;         // all were looked at
  std::optional<std::string> harm;  // a history that ends as no serial order does
};

// Each session has one call.  Transactions that are rolled back are left out: the others
// must be as if these had never run.
Outcomes compared_with_serial(const program::Program& scenario,
                              const check::AskedLevel& level,
                              program::Granularity granularity);

}  // namespace isomer::test
