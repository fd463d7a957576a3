// SPDX-License-Identifier: MIT
// `isomer compare`: how two levels relate, or all of them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "synth/synth.h"

namespace isomer::synth {

enum class Relationship : std::uint8_t {
  Equivalent,
  Stronger,  // the left one allows fewer histories
  Weaker,    // the left one allows more
  Incomparable,
  Unknown,
};

std::string_view name(Relationship relationship);  // "stronger"

// Whether each history that one level allows, the other allows too.
enum class Implication : std::uint8_t {
  Proved,   // for histories of any size
  InScope,  // no counterexample up to the scope
  Refuted,  // there is a counterexample
  Unknown,
};

struct Direction {
  Implication implication = Implication::Unknown;
  std::optional<check::Certified<Found>> counterexample;  // if Refuted: smallest
  std::string how;  // if Proved: the argument in words; if Unknown: why
};

struct Comparison {
  Relationship relationship = Relationship::Unknown;
  Direction left_to_right;  // left implies right?
  Direction right_to_left;
  Scope scope;
  Stats stats;
};

struct CompareOptions {
  Options search;
  bool prove = false;
};

// Does every history that one level allows satisfy the other?  `search`, if not null,
// receives how the counterexample was looked for.
Direction implication(const Level& stronger, const Level& weaker,
                      const CompareOptions& options, Result* search = nullptr);

Comparison compare(const Level& left, const Level& right, const CompareOptions& options);

// How a set of levels relate: classes of equivalent levels, and which class covers which.
struct Lattice {
  struct Edge {
    std::uint32_t strong;   // class
    std::uint32_t weak;     // class; nothing in between
    std::uint32_t witness;  // index into histories: weak allows it, strong does not
  };

  std::vector<std::vector<std::string>> classes;  // qualified names, each class in order
  std::vector<Edge> edges;
  std::vector<check::Certified<Found>> histories;
  Scope scope;
  bool is_complete = true;  // false: some pairs are undecided, and left out
  std::vector<std::string> undecided;
  Stats stats;
};

inline constexpr Scope lattice_scope_default{4, 2, 5};

Lattice lattice(std::span<const Level> levels, const CompareOptions& options);

}  // namespace isomer::synth
