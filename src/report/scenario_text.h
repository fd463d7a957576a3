// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "program/ir.h"

namespace isomer::report {

// A program whose values are all known, as a scenario (.toml): its initial rows, calls and
// invariants.  `app` is the path of its application, seen from where the scenario will be.
std::string scenario_text(const program::Program& program, const std::string& app);

}  // namespace isomer::report
