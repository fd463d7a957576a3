// SPDX-License-Identifier: MIT
// The checkers of the built-in levels against the texts of the same levels.
#pragma once

#include <string>
#include <string_view>

#include "check/asked_level.h"
#include "history/history.h"

namespace isomer::check {

// The standard level of this name as if a person's own file defined it, so that no other
// checker is used.
AskedLevel as_text(std::string_view name);

// What is wrong with the answers from texts, one line each; empty if nothing is.
std::string disagreements(const history::History& history, bool explain);

}  // namespace isomer::check
