// SPDX-License-Identifier: MIT
// Reads arbitrary bytes as a program of one kind (ISOMER_FUZZ_READER says how): an SQL
// application, a scenario of an application in examples/ or a litmus program.  Half of all
// mutations are libFuzzer's own, of bytes; the others move tokens about.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "program/litmus/litmus.h"
#include "program/scenario/scenario.h"
#include "program/sql/script.h"
#include "support/damage.h"
#include "support/exercise.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace isomer::program;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto program = ISOMER_FUZZ_READER(ISOMER_EXAMPLES "/input", text);
  if (program)
    exercise(*program, size);
  else
    require_message(program.error());
  return 0;
}

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
