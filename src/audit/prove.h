// SPDX-License-Identifier: MIT
#pragma once

#include "audit/search.h"

namespace isomer::audit {

// No cycle of any length: sets the verdict to Serializable if that can be shown, given that
// there is none up to result.cycle_max; says in `result.unknown` if not.
void prove(const Application& application, const Plan& plan, const Options& options,
           Result& result, Effort& effort);

}  // namespace isomer::audit
