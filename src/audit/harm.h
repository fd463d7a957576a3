// SPDX-License-Identifier: MIT
// Does an unserializable history do harm?
#pragma once

#include <optional>

#include "audit/audit.h"
#include "check/asked_level.h"
#include "history/history.h"

namespace isomer::audit {

// Does some serial order of the scenario's calls, one a session, end in the same state and
// give each the same result as the history?  Absent if that could not be found out.  Where
// the history may end in several states, it is about the first of them.
std::optional<bool> has_serial_outcome(const Program& scenario,
                                       const history::History& history,
                                       const Options& options,
                                       const check::AskedLevel& level);

}  // namespace isomer::audit
