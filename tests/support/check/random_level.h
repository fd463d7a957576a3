// SPDX-License-Identifier: MIT
// Random level texts, small enough that all executions can be tried.
#pragma once

#include <cstdint>
#include <string>

namespace isomer::check {

// A framework with one or two witnesses and a level of one to three axioms.  A witness that
// is no order is bound to be part of `so | wr`.
std::string random_level_text(std::uint64_t seed);

}  // namespace isomer::check
