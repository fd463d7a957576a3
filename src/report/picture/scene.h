// SPDX-License-Identifier: MIT
// What a picture shows, before anybody decides where: boxes for transactions and arrows
// between them.  DOT and HTML draw the same scenes.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/check.h"
#include "report/check/finding.h"
#include "report/check/report.h"

namespace isomer::report {

struct Box {
  history::TxnId txn;
  std::string title;                  // "a/1"
  std::string place;                  // "line 3", "aborted", or empty
  std::vector<std::string> lines;     // its operations
  std::optional<std::size_t> number;  // its place in the commit order
};

enum class Role : std::uint8_t {
  Cycle,    // what cannot be
  Support,  // what an inferred edge of the cycle rests on
  Context,  // what else connects the transactions shown
};

// Names an edge on a page: the arrow and its explanation find each other by it.
std::string anchor(const check::Edge& edge);

struct Arrow {
  std::size_t from;  // index of a box
  std::size_t to;
  check::EdgeKind kind;
  Role role;
  bool is_inferred;     // nobody saw it: it follows from other edges
  std::string label;    // "rw balance"
  std::string tooltip;  // why it is there
  std::string anchor;
  bool is_marked = false;  // what the reader is to look at
};

struct Scene {
  std::string title;
  std::vector<Box> boxes;  // by transaction id
  std::vector<Arrow> arrows;
  std::size_t left_out = 0;  // transactions that are not shown
};

// The transactions of a violation.
Scene scene_of(const history::History& history, const Finding& finding);

// The largest history that is drawn as a whole.
inline constexpr std::size_t whole_history_max = 60;

std::vector<history::KeyId> all_keys(const history::History& history);

// A whole history as far as these keys go, its transactions numbered in this order if there
// is one, with the cycle of a violation if there is one.
Scene whole_scene(const history::History& history, std::string title,
                  const std::vector<history::KeyId>& keys,
                  std::span<const history::TxnId> order, const Finding* finding);

// Some transactions as far as these keys go, with the cycle of a violation if there is one,
// and some edges marked.
Scene part_scene(const history::History& history, std::string title,
                 std::vector<history::TxnId> txns, const std::vector<history::KeyId>& keys,
                 const Finding* finding, std::span<const check::Edge> marked);

// The transactions of a violation that a picture shows.
std::vector<history::TxnId> shown_txns(const check::Violated& violation);

// A whole history with the witness of its strongest level; absent if it is too large, or if
// no level was found to allow it.
std::optional<Scene> whole_scene(const Checked& checked);

// One scene for each violation; else the whole history, if that is possible.
std::vector<Scene> scenes(const Checked& checked);

}  // namespace isomer::report
