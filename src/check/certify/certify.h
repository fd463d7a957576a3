// SPDX-License-Identifier: MIT
// Holds answers to the axioms by plain evaluation: no search, no solver, and nothing shared
// with the engines but the history model.
#pragma once

#include <optional>
#include <string>

#include "check/check.h"

namespace isomer::check {

// Absent if the witness proves the level; else what is wrong with it.
std::optional<std::string> refute(const History& history, const AskedLevel& level,
                                  const Consistent& witness);

// Absent if the evidence proves that the level forbids the history; else what is wrong with
// it. Re-derives every edge of the cycle, and tries every order of the named transactions
// where these are few.
std::optional<std::string> refute(const History& history, const AskedLevel& level,
                                  const Violated& violation);

// Either; "the answer for SI is wrong: ...".  An undecided answer claims nothing.
std::optional<std::string> refute(const History& history, const LevelResult& result);

}  // namespace isomer::check
