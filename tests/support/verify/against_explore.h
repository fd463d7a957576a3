// SPDX-License-Identifier: MIT
// Two engines that share neither code nor method: on programs with concrete data, verify
// finds a violation at a level if and only if explore does.  What explore has no words for,
// constraints and lost updates, is looked for in every history by brute force.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "check/asked_level.h"
#include "program/ir.h"
#include "support/explore/brute_force.h"
#include "verify/verify.h"

namespace isomer::verify {

// The built-in levels, and some that are decided from their texts, without and with
// visibility.
std::vector<check::AskedLevel> levels_to_compare();

struct Compared {
  std::string level;
  std::string explored;  // "holds", "violated" or "unknown"
  std::string verified;  // the same, "unknown: " with the reason, or "contradiction: "
};

// At each of the levels, in so many seconds for each question.  Diagnostics: verify cannot
// do such programs.
Expected<std::vector<Compared>> compared_with_explore(
    const program::Program& program, const std::vector<check::AskedLevel>& levels,
    double seconds, Encoding encoding = Encoding::Exact);

// An open program stands for many closed ones.  What explore breaks in one of these, verify
// does not prove of the open one; and what verify breaks, explore breaks with the values
// and rows that verify shows.
struct Opened {
  // What is wrong; empty if nothing is.
  std::string wrong;
  bool is_violated = false;  // as verify says
  std::uint32_t instances =
      0;  // that explore could decide and that satisfy what is assumed
  bool is_unknown = false;
};

// `instances`: closed programs; those that do not satisfy what is assumed do not count.
Expected<Opened> compared_with_instances(const program::Program& open,
                                         const std::vector<program::Program>& instances,
                                         const check::AskedLevel& level, double seconds);

// What `verify --constraints --no-lost-updates` must find in an SQL program with concrete
// data, by brute force: every history, every final state, every rule as it is stated.  The
// names of the invariants that some execution of the level breaks, as verify has them:
// those of the scenario, "ASSERT", "unique t (a, b)", "foreign key t (a) to u", "no lost
// updates". The space has rows for keys.
std::set<std::string> broken(const explore::Space& space, explore::AnyLevel level);

}  // namespace isomer::verify
