// SPDX-License-Identifier: MIT
// Reads our readable text; hist.cpp describes and writes it.
#pragma once

#include <string_view>

#include "history/format/format.h"

namespace isomer::history {

Expected<Parsed> read_hist(const Source& source);

bool looks_like_hist(std::string_view text);

// Whether a character may stand in a name without quotes.
bool is_hist_word(char c);

// The same for places, which have a ':' before the line.
bool is_hist_place(char c);

}  // namespace isomer::history
