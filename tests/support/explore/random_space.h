// SPDX-License-Identifier: MIT
// Random programs with all their histories, for tests to compare with.
#pragma once

#include <memory>
#include <string>

#include "support/explore/brute_force.h"
#include "support/explore/draft.h"

namespace isomer::explore {

struct RandomSpace {
  Draft draft;
  std::shared_ptr<const Program> program;
  Space space;
};

// Programs with more histories than that are passed over for another of the same seed, and
// most of those with very few.
RandomSpace random_space(std::uint64_t seed, std::size_t histories_max);

}  // namespace isomer::explore
