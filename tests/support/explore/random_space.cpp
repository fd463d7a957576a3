// SPDX-License-Identifier: MIT
#include "support/explore/random_space.h"

#include "base/assert.h"
#include "base/random.h"
#include "program/litmus/litmus.h"

namespace isomer::explore {

RandomSpace random_space(std::uint64_t seed, std::size_t histories_max) {
  const std::size_t histories_min = seed % 10 == 0 ? 1 : 6;
  for (Random random(seed);;) {
    Draft draft = random_draft(random.next());
    auto parsed = program::parse_litmus("random.txn", text(draft));
    ISOMER_ASSERT(parsed.has_value());
    auto program = std::make_shared<const Program>(*std::move(parsed));
    auto space = brute_force(*program, {.count_max = histories_max});
    if (space && space->histories.size() >= histories_min)
      return {std::move(draft), std::move(program), *std::move(space)};
  }
}

}  // namespace isomer::explore
