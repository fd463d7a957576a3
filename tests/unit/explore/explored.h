// SPDX-License-Identifier: MIT
// What `explore` says of a program, ready to be compared with brute force; and tests of
// many random programs, which cut down a program that fails before they show it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "brute_force.h"
#include "explore/explore.h"

namespace isomer::explore {

struct Explored {
  Result result;
  std::vector<std::string> histories;  // canonical, sorted
};

// Without making a failure smaller.
Explored explored(const Program& program, Options options);

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

// What is wrong with exploring the program of this space; empty if nothing is.
using Complaint = std::function<std::string(const Space&)>;

// Random programs from seed 1, the programs that failed once (tests/corpus/explore), and
// the small one that the paper's algorithm miscounts.
void expect_no_complaint(std::uint64_t count, const Complaint& complaint,
                         std::size_t histories_max = 2000);

}  // namespace isomer::explore
