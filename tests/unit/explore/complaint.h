// SPDX-License-Identifier: MIT
// Tests of many random programs, which cut down a program that fails before they show it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "support/explore/explored.h"

namespace isomer::explore {

// What is wrong with exploring the program of this space; empty if nothing is.
using Complaint = std::function<std::string(const Space&)>;

// Random programs from seed 1, the programs that failed once (tests/corpus/explore), and
// the small one that the paper's algorithm miscounts.
void expect_no_complaint(std::uint64_t count, const Complaint& complaint,
                         std::size_t histories_max = 2000);

}  // namespace isomer::explore
