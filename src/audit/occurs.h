// SPDX-License-Identifier: MIT
// Does a history show the dependencies of an anomaly?
#pragma once

#include <optional>
#include <vector>

#include "audit/audit.h"
#include "history/history.h"

namespace isomer::audit {

// For each dependency of a cycle, those that would do.
using Choices = std::vector<std::vector<Dependency>>;

// One of each that the history shows, between the same statements and on the same column,
// with the keys of the history; nothing if one has none, or a transaction has not
// committed.  Transaction i of the dependencies is the one of session i.
std::optional<std::vector<Dependency>> occurring(const Program& program,
                                                 const history::History& history,
                                                 program::Granularity granularity,
                                                 const Choices& choices);

}  // namespace isomer::audit
