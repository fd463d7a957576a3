// SPDX-License-Identifier: MIT
// The names that PostgreSQL gives to errors, for RAISE and EXCEPTION: unique_violation is
// 23505.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace isomer::program {

// The code of an error condition; empty if there is none of that name (names are lower
// case).
std::string_view sqlstate_of(std::string_view condition);

// All codes that a handler of this condition catches: a few names stand for two.
std::vector<std::string_view> sqlstates_of(std::string_view condition);

// Five digits and capital letters.
bool is_sqlstate(std::string_view code);

// All of them, for "did you mean".
std::vector<std::string> condition_names();

}  // namespace isomer::program
