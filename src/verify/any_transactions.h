// SPDX-License-Identifier: MIT
// Any transactions of an application at once, each in a session of its own and with any
// arguments, on any state that satisfies the invariants: what induction asks for.
#pragma once

#include <vector>

#include "program/ir.h"

namespace isomer::verify {

// A program for each choice of `count` types, with repetition.
std::vector<program::Program> any_transactions(const program::Program& program,
                                               std::uint32_t count);

}  // namespace isomer::verify
