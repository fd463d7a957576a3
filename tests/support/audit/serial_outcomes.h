// SPDX-License-Identifier: MIT
// Does some execution of a scenario at a level end as no serial one does?  By trying them
// all: every history that explore finds against every order of what it commits, on the
// store.  Nothing of src/audit has a part in it.
#pragma once

#include <optional>
#include <string>

#include "check/asked_level.h"
#include "program/ir.h"
#include "program/machine/machine.h"

namespace isomer::test {

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
