// SPDX-License-Identifier: MIT
// How the witnesses of one level could be made from those of another.
#pragma once

#include <string>
#include <vector>

#include "level/level.h"

namespace isomer::synth {

struct WitnessChoice {
  // For each witness of the weaker level, a relation of the problem (level::Import).
  std::vector<level::TermId> meanings;
  // What may be assumed of relations that were added for this choice.
  std::vector<level::TermId> assumptions;
  // What must be proved for them to exist.
  std::vector<level::TermId> conditions;
  // A strict total order on all transactions, if the choice is based on one.
  level::TermId order;
  std::string text;  // "ar := co, vis := (so | wr)+"
};

// `problem` holds the witnesses of the stronger level and, in `assumptions`, its axioms.
// Terms and witnesses may be added to it.  The likeliest choices come first.
std::vector<WitnessChoice> witness_choices(const level::Level& weaker,
                                           level::Level& problem,
                                           const std::vector<level::TermId>& assumptions);

}  // namespace isomer::synth
