// SPDX-License-Identifier: MIT
// Half of all mutations are libFuzzer's own, of bytes; the others move tokens about.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "support/damage.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t size_max);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t size_max, unsigned int seed) {
  isomer::Random random(seed);
  if (random.chance(0.5)) return LLVMFuzzerMutate(data, size, size_max);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string out = isomer::test::damaged(text, random, 4);
  const std::size_t kept = std::min(out.size(), size_max);
  std::memcpy(data, out.data(), kept);
  return kept;
}
