// SPDX-License-Identifier: MIT
// What synth and compare have in common: how far to search, and the second opinion on every
// history found.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "check/check.h"
#include "cli/level_argument.h"
#include "cli/output.h"
#include "synth/synth.h"

namespace isomer::cli {

// --scope T,K,V; absent if not given.
std::optional<synth::Scope> scope_in(const Arguments& arguments, OptionReader& reader);

// The checkers' evidence against the forbidden levels.  The checkers share no code with the
// search but the texts; where one contradicts it, the error says so.
tl::expected<check::Result, std::string> second_opinion(
    const synth::Found& found, const std::vector<NamedLevel>& allow,
    const std::vector<NamedLevel>& forbid);

// Runs the search, and tells a terminal about it.
template <class Search>
auto with_progress(const Budget& budget, const std::string& activity,
                   const Search& search) {
  const Progress progress(budget, activity);
  return search();
}

}  // namespace isomer::cli
