// SPDX-License-Identifier: MIT
// The words that every level text may use: keywords, sorts, and what a history gives.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "level/terms.h"

namespace isomer::level {

// A word of the grammar (forall, in, level, ...), which cannot be a name.
bool is_keyword(std::string_view word);
const std::vector<std::string>& keywords();

std::optional<Sort> sort_named(std::string_view name);
std::string_view name_of(Sort sort);

// What a history gives, without index and with one key, if it takes one.
struct GivenName {
  std::string_view name;
  Op op;
  Type type;
  std::uint32_t number = 0;
  bool takes_key = false;
};

const GivenName* given_named(std::string_view name);
std::vector<std::string_view> given_names();

// "a relation Txn * Read", "a set of Txn", "an element of Key", "a formula".
std::string description(Type type);

}  // namespace isomer::level
