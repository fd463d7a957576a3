// SPDX-License-Identifier: MIT
// Work in a child process, which may crash or hang without harm.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "differential/agreement.h"

namespace isomer::differential {

// What the child says: that it begins with a seed, or what came of it.
struct Message {
  std::uint64_t seed = 0;
  bool is_begin = true;
  Answer answer;
};

using Say = std::function<void(const Message&)>;

// Runs the work, and hears what it says.  Empty if it came to its end; else how it ended:
// by a crash, or because it was silent for longer than that.
std::string in_child(const std::function<void(const Say&)>& work, double silence_max,
                     const Say& hear);

// The answer to one case; a crash is a disagreement.
Answer ask_in_child(const Case& asked, double seconds_max);

}  // namespace isomer::differential
