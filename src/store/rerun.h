// SPDX-License-Identifier: MIT
// One transaction run again, with what each read returns decided before.
#pragma once

#include <functional>

#include "store/runner.h"

namespace isomer::store {

// What a read returns: a version, and who wrote it (as Access::writer has it).
struct ReadAnswer {
  std::uint32_t writer = 0;
  Value value;
};

RanTransaction rerun(const Program& program, Place place, std::vector<Value> arguments,
                     program::Granularity granularity, const KeyUniverse& universe,
                     const std::function<ReadAnswer(const KeyName&)>& answer);

}  // namespace isomer::store
