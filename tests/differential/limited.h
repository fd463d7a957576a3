// SPDX-License-Identifier: MIT
// An engine with a limit and without: what it says with one must be what it says without,
// or nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/budget.h"

namespace isomer::differential {

inline constexpr const char* unknown_verdict = "unknown";

// By question.  A question that is not there has no verdict, as if it were unknown.
using Verdicts = std::map<std::string, std::string>;
using Decide = std::function<Verdicts(const Budget&)>;

// What is said with a limit and not without; empty if there is no such thing.
std::string contradiction(const Verdicts& whole, const Verdicts& limited,
                          const std::string& where);

// Runs it to its end, and then with limits that strike somewhere before that.  Empty if
// all is well.
std::string struck(const Decide& decide, std::uint64_t seed);

}  // namespace isomer::differential
