// SPDX-License-Identifier: MIT
// A second opinion on a history that a search found: what the checkers say of it, level by
// level.  They share no code with the searches.
#pragma once

#include <optional>
#include <string>

#include "check/check.h"

namespace isomer::check {

struct Opinion {
  Result levels;              // the built-in ones, and the level asked for if it is none
  std::string contradiction;  // not empty: a checker says otherwise than the search
};

// `allowing`, if given, must allow the history; every answer is certified.
Opinion second_opinion(const History& history, const std::optional<AskedLevel>& allowing,
                       const Budget& budget);

}  // namespace isomer::check
