// SPDX-License-Identifier: MIT
// Who reads from whom, as a history tells it, for a run that is to do the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "history/history.h"
#include "program/ir.h"
#include "program/machine.h"

namespace isomer::store {

// A transaction of the program: its session, and its place in it.
using Place = std::pair<std::uint32_t, std::uint32_t>;

struct ScriptedRead {
  program::KeyName key;
  std::optional<Place> writer;  // absent: the initial transaction
};

struct Script {
  // Every writer before its readers, sessions in order.
  std::vector<Place> order;
  std::vector<std::vector<std::vector<ScriptedRead>>> reads;  // by session, then place
  std::vector<std::vector<bool>> is_committed;                // likewise
  std::string problem;  // not empty: the history is no script for this program
};

// Sessions of the history and of the program correspond by name; if no name is known, as in
// traces that only number them, by their order.
Script make_script(const program::Program& program, const history::History& history);

}  // namespace isomer::store
