// SPDX-License-Identifier: MIT
// Two engines that share neither code nor method: on programs with concrete data, verify
// finds a violation at a level if and only if explore does.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/asked_level.h"
#include "program/ir.h"
#include "verify/verify.h"

namespace isomer::verify {

// The built-in levels, and some that are decided from their texts, without and with
// visibility.
std::vector<check::AskedLevel> levels_to_compare();

struct Compared {
  std::string level;
  std::string explored;  // "holds", "violated" or "unknown"
  std::string verified;  // the same, "unknown: " with the reason, or "contradiction: "
};

// At each of the levels, in so many seconds for each question.  Diagnostics: verify cannot
// do such programs.
Expected<std::vector<Compared>> compared_with_explore(
    const program::Program& program, const std::vector<check::AskedLevel>& levels,
    double seconds, Encoding encoding = Encoding::Exact);

}  // namespace isomer::verify
