// SPDX-License-Identifier: MIT
// One exploration of a program, without making its failure smaller (explore.cpp does that).
#pragma once

#include "explore/assertion_checker.h"
#include "explore/explore.h"

namespace isomer::explore {

// What a failure must be like to count.
struct Target {
  Wanted wanted;
  bool is_unserializable = false;
};

struct Exploration {
  Result result;  // without a failure
  std::optional<Failure> failure;
};

Exploration explore_once(const Program& program, const Options& options,
                         const Target& target);

}  // namespace isomer::explore
