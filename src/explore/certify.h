// SPDX-License-Identifier: MIT
// A failing history is certified before anybody sees it (check/certify/certified.h says
// what that means).
#pragma once

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "explore/explore.h"

namespace isomer::explore {

// The level must allow the history as levels judge it, every history if there is none; and
// SER what is_serializable says.  Sets judged and levels.
tl::expected<check::Certified<Failure>, std::string> certify(
    Failure failure, const std::optional<check::AskedLevel>& level, const Budget& budget);

}  // namespace isomer::explore
