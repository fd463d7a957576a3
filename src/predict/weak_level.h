// SPDX-License-Identifier: MIT
// Section 4.3 of the paper, for any level: the level's text, on the histories that are
// feasible.
#pragma once

#include <vector>

#include "level/level.h"
#include "predict/feasible.h"

namespace isomer::predict {

// The bits that say that the level allows the history.
std::vector<Bit> encode_level(Circuit& circuit, const Observed& observed,
                              const Feasible& feasible, const level::Level& level);

// The cells of the tables that this needs.
double table_cells(const Observed& observed, const level::Level& level);

// The text of a level that was asked for by name.
level::Level text_of(const check::AskedLevel& level);

}  // namespace isomer::predict
