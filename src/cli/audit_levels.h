// SPDX-License-Identifier: MIT
// Levels as `isomer audit` and `isomer advise` understand them: those of visibility and
// arbitration, for which bare names stand here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "cli/arguments.h"

namespace isomer::cli {

// "EC", "anode:PSI": what completion offers.
std::vector<std::string> audit_level_names();

// A level that can be audited; complains otherwise.
std::optional<level::Level> audit_level(const std::string& word, OptionReader& reader);

// One plan for each level named; without any, the scenario's [levels], or each of EC, CC,
// PC, PSI, SI and SER.
std::vector<audit::Plan> plans_in(const std::vector<std::string>& words,
                                  const program::Program& program, OptionReader& reader);

// The name of a level as part of a file's name.
std::string file_name(const std::string& level);

}  // namespace isomer::cli
