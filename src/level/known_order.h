// SPDX-License-Identifier: MIT
// Which standard levels are known to imply which: the claims of the literature and of a
// few lines of argument, for a person to read and for tests to hold against the engines.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace isomer::level {

// Every history that the one allows, the other allows.  Qualified names.
struct Implication {
  std::string_view level;
  std::string_view implied;
};

// Not closed: what follows from two of them is left out.
std::span<const Implication> known_implications();

// Reflexive and transitive.  False if it is not known.
bool is_known_to_imply(std::string_view level, std::string_view implied);

// By qualified name, in the order of the library.
struct Relatives {
  std::vector<std::string> equivalent;
  std::vector<std::string> implied;     // allow more, or as much
  std::vector<std::string> implied_by;  // allow less, or as much
};

Relatives relatives_of(std::string_view qualified_name);

}  // namespace isomer::level
