// SPDX-License-Identifier: MIT
// What is true of every history, as a level text.
#pragma once

#include "level/level.h"

namespace isomer::synth {

// A level without witnesses that allows every history: proofs may assume its axioms.
const level::Level& history_facts();

}  // namespace isomer::synth
