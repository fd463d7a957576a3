// SPDX-License-Identifier: MIT
// The front door of this folder: programs for programs, as `isomer show --json` prints
// them, and as files.  What other reports say of programs is in text.h.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "program/ir.h"

namespace isomer::report {

// docs/schema/show.schema.json describes it.  Statements are lines of text.
std::string program_json(const program::Program& program, const Diagnostics& errors);

// A program whose values are all known, as a scenario (.toml): its initial rows, calls and
// invariants.  `app` is the path of its application, seen from where the scenario will be.
// Absent if a text of it cannot stand in one: one with both three quotes and a backslash.
std::optional<std::string> scenario_text(const program::Program& program,
                                         const std::string& app);

}  // namespace isomer::report
