// SPDX-License-Identifier: MIT
// Zipf's law with exponent 1 by Walker's alias method (Vose 1991): the table is built in
// linear time, and a draw looks at one column.  Key k has weight 1/(k+1), scaled to
// integers.
#include "history/simulate/key_sampler.h"

#include <algorithm>

#include "base/assert.h"

namespace isomer::history::simulate {

namespace {

std::vector<std::uint64_t> zipf_weights(std::uint32_t keys) {
  // Large enough that the weights of a million keys are told apart, and small enough that
  // a weight times the number of keys stays within 64 bits.
  constexpr std::uint64_t scale = std::uint64_t{1} << 31;
  std::vector<std::uint64_t> weights(keys);
  for (std::uint32_t k = 0; k < keys; ++k)
    weights[k] = std::max<std::uint64_t>(1, scale / (std::uint64_t{k} + 1));
  return weights;
}

}  // namespace

KeySampler::KeySampler(Skew skew, std::uint32_t keys) : skew_(skew), keys_(keys) {
  ISOMER_ASSERT(keys > 0);
  if (skew != Skew::Zipf) return;
  std::vector<std::uint64_t> mass = zipf_weights(keys);
  for (const std::uint64_t weight : mass)
    weight_sum_ += weight;

  // Scaled by the number of keys, the average mass of a column is the sum of the weights.
  // A poor column is filled up from a rich one, which may become poor itself.
  std::vector<std::uint32_t> poor, rich;
  for (std::uint32_t k = 0; k < keys; ++k) {
    mass[k] *= keys;
    (mass[k] < weight_sum_ ? poor : rich).push_back(k);
  }
  columns_.resize(keys);
  for (std::uint32_t k = 0; k < keys; ++k)
    columns_[k] = {weight_sum_, k};
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t receiver = poor.back();
    const std::uint32_t giver = rich.back();
    poor.pop_back();
    columns_[receiver] = {mass[receiver], giver};
    mass[giver] -= weight_sum_ - mass[receiver];
    if (mass[giver] >= weight_sum_) continue;
    rich.pop_back();
    poor.push_back(giver);
  }
}

std::uint32_t KeySampler::draw(Random& random) const {
  switch (skew_) {
    case Skew::Uniform:
      return static_cast<std::uint32_t>(random.below(keys_));
    case Skew::Zipf:
      return draw_zipf(random);
    case Skew::Hotspot:
      return draw_hotspot(random);
  }
  return 0;
}

std::uint32_t KeySampler::draw_zipf(Random& random) const {
  const auto column = static_cast<std::uint32_t>(random.below(keys_));
  const std::uint64_t roll = random.below(weight_sum_);
  return roll < columns_[column].keep ? column : columns_[column].alias;
}

// Four of five accesses go to the first fifth of the keys.
std::uint32_t KeySampler::draw_hotspot(Random& random) const {
  const std::uint32_t hot = (keys_ - 1) / 5 + 1;
  if (hot == keys_ || random.below(5) < 4)
    return static_cast<std::uint32_t>(random.below(hot));
  return hot + static_cast<std::uint32_t>(random.below(keys_ - hot));
}

}  // namespace isomer::history::simulate
