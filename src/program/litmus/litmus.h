// SPDX-License-Identifier: MIT
// The front end of litmus programs, .txn files.
#pragma once

#include <string_view>

#include "program/ir.h"

namespace isomer::program {

// Each transaction becomes a transaction type without parameters, which its session calls.
// Sessions without a name are s1, s2, ..; transactions without a label are named by their
// place, s1/2.
Expected<Program> parse_litmus(std::string_view file, std::string_view text);

}  // namespace isomer::program
