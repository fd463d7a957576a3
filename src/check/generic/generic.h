// SPDX-License-Identifier: MIT
// Decides any level from its text.
#pragma once

#include <optional>
#include <string>

#include "check/check.h"
#include "level/level.h"
#include "level/part_tables.h"

namespace isomer::check {

struct TextEffort {
  const Budget& budget;
  bool explain = true;
};

// Problems of a single read that the language has no word for: the lists that were read
// exclude each other, so there is no order of versions, which every level asks for.
bool is_beyond_levels(const history::Problem& problem);

Verdict answer_from_text(const History& history, const level::Level& level,
                         const TextEffort& options, Stats& stats);

// An execution in the terms of its level.
struct ReplayedExecution {
  level::Choices choices;
  level::Execution<level::Truth> execution;
};

// A witness for people, and back; absent if it does not speak of the part's transactions,
// keys and reads.
Consistent witness_of(const level::Part& part, const level::Level& level,
                      const ReplayedExecution& execution);
std::optional<ReplayedExecution> replay(const level::Part& part, const level::Level& level,
                                        const Consistent& witness);

// As in check/certify/certify.h: absent if the text proves the answer, else what is wrong
// with it.
std::optional<std::string> refute_text(const History& history, const level::Level& level,
                                       const Consistent& witness);
std::optional<std::string> refute_text(const History& history, const level::Level& level,
                                       const Violated& violation);

}  // namespace isomer::check
