// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "program/ir.h"

namespace isomer::report {

// A program whose values are all known, as a scenario (.toml): its initial rows, calls and
// invariants.  `app` is the path of its application, seen from where the scenario will be.
// Absent if a text of it cannot stand in one: one with both three quotes and a backslash.
std::optional<std::string> scenario_text(const program::Program& program,
                                         const std::string& app);

}  // namespace isomer::report
