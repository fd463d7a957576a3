// SPDX-License-Identifier: MIT
// The result of `isomer explore` for people and for programs.  Everything here returns
// strings; nothing prints.
#pragma once

#include <string>

#include "base/diagnostic.h"
#include "explore/explore.h"
#include "report/failing_history/failing_history.h"
#include "reproduce/abstract.h"

namespace isomer::report {

struct Explored {
  const program::Program& program;
  const explore::Options& options;
  const explore::Result& result;
  // The failure on a server; null: none was asked, or there is none.
  const reproduce::Tried* there = nullptr;
};

// result.failure; there must be one.
FailingHistory failing_history(const Explored& explored);

struct ExploreTextOptions {
  bool colour = false;
  // The command as the person typed it, for the hint of what to do next; empty: no hint.
  std::string command{};
  std::size_t width = 100;
};

// If nothing was found, in one sentence.
std::string all_clear_text(const Explored& explored);

std::string explore_text(const Explored& explored, const ExploreTextOptions& options);

// docs/schema/explore.schema.json describes it.
std::string explore_json(const Explored& explored);

// The failing history.
std::string explore_dot(const Explored& explored);
std::string explore_html(const Explored& explored);

// Any history as one line of JSON, {"sessions": ..}, with its line end.
std::string history_line(const history::History& history);

}  // namespace isomer::report
