// SPDX-License-Identifier: MIT
// The two kinds of evidence for a violation that can be re-derived piece by piece (private
// to certify.cpp): a read that no built-in level allows, and a cycle.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/check.h"

namespace isomer::check {

// Absent if the raw operations show the problem; else what is wrong with it.
std::optional<std::string> refute_problem(const History& history,
                                          const history::Problem& problem);

// Absent if each edge follows from the history and the level forbids cycles of this shape;
// else what is wrong with it.
std::optional<std::string> refute_cycle(const History& history, Level level,
                                        const std::vector<Edge>& cycle);

}  // namespace isomer::check
