// SPDX-License-Identifier: MIT
// Does an unserializable history do harm?
#pragma once

#include "audit/audit.h"
#include "check/asked_level.h"
#include "history/history.h"

namespace isomer::audit {

// Does some serial order of the scenario's calls, one a session, end in the same state and
// give each the same result as the history?
bool has_serial_outcome(const Program& scenario, const history::History& history,
                        const Options& options, const check::AskedLevel& level);

}  // namespace isomer::audit
