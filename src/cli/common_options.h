// SPDX-License-Identifier: MIT
// The options that every command has: its limits, and what a person sees of its inside.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/inspection.h"
#include "cli/arguments.h"
#include "cli/watchdog.h"

namespace isomer::cli {

std::span<const Option> common_options();

// Those of the command, then the common ones.
std::vector<Option> options_of(const Command& command);

Limits limits_in(OptionReader& reader);

// Makes the folder of --dump.
Inspection::Wishes wishes_in(const Arguments& arguments, OptionReader& reader);

// What --stats prints: the phases, the counters and the memory.
std::string stats_text(const Inspection& inspection, const Stopwatch& since_start);

}  // namespace isomer::cli
