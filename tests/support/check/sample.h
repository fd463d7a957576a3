// SPDX-License-Identifier: MIT
// Random logs with known verdicts, picked so that they tell levels apart.
#pragma once

#include <array>
#include <cstdint>

#include "check/level.h"
#include "support/check/log.h"
#include "support/effort.h"

namespace isomer::check {

// How many random cases a test tries: fewer where each takes longer.
inline int sample_size(int full) {
  return effort(full, full / 2, full / 25);
}

using AllowedLevels = std::array<bool, level_count>;  // by level: does it allow the log

// Is there a commit order, by the exhaustive search?
bool is_allowed_by_search(const Log& log, Level level);

AllowedLevels verdicts(const Log& log);  // by the oracle, or by the exhaustive search

struct Sample {
  std::uint64_t seed = 0;
  Log log;
  AllowedLevels is_allowed{};
};

class Sampler {
 public:
  Sampler(Profile profile, std::uint64_t first_seed, int txns_max = small_log)
      : profile_(profile), next_seed_(first_seed), txns_max_(txns_max) {}

  Sample next();

 private:
  Profile profile_;
  std::uint64_t next_seed_;
  int txns_max_;
};

}  // namespace isomer::check
