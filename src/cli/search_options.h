// SPDX-License-Identifier: MIT
// What synth and compare have in common: how far to search, and how to tell that it goes
// on.
#pragma once

#include <string>
#include <vector>

#include "cli/level_argument.h"
#include "cli/output.h"
#include "synth/synth.h"

namespace isomer::cli {

// --scope T,K,V; absent if not given.
std::optional<synth::Scope> scope_in(const Arguments& arguments, OptionReader& reader);

// Runs the search, and tells a terminal about it.
template <class Search>
auto with_progress(const Budget& budget, const std::string& activity,
                   const Search& search) {
  const Progress progress(budget, activity);
  return search();
}

}  // namespace isomer::cli
