// SPDX-License-Identifier: MIT
// Random logs with the oracle's verdicts, picked so that they tell levels apart.
#pragma once

#include <array>
#include <cstdint>

#include "check/level.h"
#include "log.h"

namespace isomer::check {

// How many random cases a test tries: fewer where each takes longer.
constexpr int sample_size(int full) {
#if defined(ISOMER_DEBUG_CHECKS) || !defined(NDEBUG)
  return full / 8;
#else
  return full;
#endif
}

using Verdicts = std::array<bool, level_count>;  // by level: does it allow the log

Verdicts verdicts(const Log& log);

struct Sample {
  std::uint64_t seed = 0;
  Log log;
  Verdicts is_allowed{};
};

class Sampler {
 public:
  Sampler(Profile profile, std::uint64_t first_seed)
      : profile_(profile), next_seed_(first_seed) {}

  Sample next();

 private:
  Profile profile_;
  std::uint64_t next_seed_;
};

}  // namespace isomer::check
