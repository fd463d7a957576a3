// SPDX-License-Identifier: MIT
// What is wrong with the answers of the checkers: every verdict and every piece of
// evidence, against the oracle and against the texts of the same levels.
#pragma once

#include <string>
#include <string_view>

#include "check/asked_level.h"
#include "history/history.h"
#include "support/check/sample.h"

namespace isomer::check {

// Against what the oracle allows, one line a level; empty if nothing is wrong.
std::string faults(const Log& log, const AllowedLevels& is_allowed);

// The standard level of this name as if a person's own file defined it, so that no other
// checker is used.
AskedLevel as_text(std::string_view name);

// With the answers from texts, against the built-in ones, one line each; empty if nothing
// is wrong.
std::string disagreements(const history::History& history, bool explain);

}  // namespace isomer::check
