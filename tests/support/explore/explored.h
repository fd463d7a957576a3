// SPDX-License-Identifier: MIT
// What `explore` says of a program, ready to be compared with brute force.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "explore/explore.h"
#include "support/explore/brute_force.h"

namespace isomer::explore {

struct ExploredHistories {
  Result result;
  std::vector<std::string> histories;  // canonical, sorted
};

// Without making a failure smaller.
ExploredHistories explored(const Program& program, Options options);

// For the level, with nothing else asked for.
Options options_for(AnyLevel level);

// Everything that is counted, as text.
std::string counts(const Result& result);

// What differs; empty if nothing does.  A history that is there twice differs too.
std::string difference(const std::vector<std::string>& found,
                       const std::set<std::string>& expected);
std::string difference(std::string_view what, std::uint64_t found, std::uint64_t expected);

// The histories, their number, and how many of them fail an assertion, against those of the
// space that the level allows.
std::string compared(const Space& space, const Options& options, AnyLevel level);

}  // namespace isomer::explore
