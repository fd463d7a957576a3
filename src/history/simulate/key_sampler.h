// SPDX-License-Identifier: MIT
// Draws keys.  All arithmetic is on integers, so the draws are the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "history/generate.h"

namespace isomer::history::simulate {

class KeySampler {
 public:
  KeySampler(Skew skew, std::uint32_t keys);

  [[nodiscard]] std::uint32_t draw(Random& random) const;

 private:
  // A column of Walker's alias table: with probability keep / weight_sum_ the column's own
  // key, else the alias.
  struct Column {
    std::uint64_t keep;
    std::uint32_t alias;
  };

  [[nodiscard]] std::uint32_t draw_zipf(Random& random) const;
  [[nodiscard]] std::uint32_t draw_hotspot(Random& random) const;

  Skew skew_;
  std::uint32_t keys_;
  std::uint64_t weight_sum_ = 0;
  std::vector<Column> columns_;  // Zipf only
};

}  // namespace isomer::history::simulate
