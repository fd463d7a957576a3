// SPDX-License-Identifier: MIT
// Texts damaged by the token: most stay close enough to what they were to get past a
// grammar, which random bytes never do.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace isomer::test {

// Words and numbers, runs of blanks, and single signs.
inline std::vector<std::string> tokens_of(std::string_view text) {
  const auto kind = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isspace(byte) != 0) return 0;
    return std::isalnum(byte) != 0 || c == '_' ? 1 : 2;
  };
  std::vector<std::string> out;
  for (const char c : text) {
    const bool goes_on = !out.empty() && kind(c) != 2 && kind(out.back().back()) == kind(c);
    if (goes_on)
      out.back() += c;
    else
      out.emplace_back(1, c);
  }
  return out;
}

// One token deleted, doubled, swapped with another or replaced by it.
inline void damage(std::vector<std::string>& tokens, Random& random) {
  if (tokens.empty()) return;
  const auto place = [&] {
    return static_cast<std::ptrdiff_t>(random.below(tokens.size()));
  };
  const auto at = tokens.begin() + place();
  const auto other = tokens.begin() + place();
  switch (random.below(4)) {
    case 0:
      tokens.erase(at);
      return;
    case 1:
      tokens.insert(at, std::string(*at));
      return;
    case 2:
      return std::swap(*at, *other);
    default:
      *at = std::string(*other);
  }
}

inline std::string joined(const std::vector<std::string>& tokens) {
  std::string out;
  for (const std::string& token : tokens)
    out += token;
  return out;
}

// With up to this many damages.
inline std::string damaged(std::string_view text, Random& random, std::uint64_t most) {
  std::vector<std::string> tokens = tokens_of(text);
  for (std::uint64_t i = random.below(most) + 1; i > 0; --i)
    damage(tokens, random);
  return joined(tokens);
}

}  // namespace isomer::test
