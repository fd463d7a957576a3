// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "level/language/token_reader.h"

namespace isomer::level {

// One formula, set, relation or element: the grammar does not tell them apart, the sorts
// do. Absent if there was a complaint.
std::optional<NodeId> parse_formula(TokenReader& reader);

// After one formula of a block there must be its '}' or a new line.
bool ends_formula(TokenReader& reader);

// "SI", "PL-2.99", "PL-2+".
std::optional<std::string_view> parse_level_name(TokenReader& reader);

// "x, y: Key, t: Txn", for quantifiers; with optional sorts also "x, r" for parameters.
enum class Sorts { Needed, Optional };
std::optional<std::vector<Variable>> parse_variables(TokenReader& reader, Sorts sorts);

}  // namespace isomer::level
