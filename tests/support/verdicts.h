// SPDX-License-Identifier: MIT
// Verdicts of the seven levels as text, "RC+ RA+ CC- ...", and what holds for any of them.
#pragma once

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "check/check.h"

namespace isomer::check {

// '+' allowed, '-' violated, '?' unknown, by level.
using Verdicts = std::map<Level, char>;

inline Verdicts verdicts_of(const Result& result) {
  Verdicts verdicts;
  for (const LevelResult& level : result.levels)
    verdicts[*level.level.built_in] = "+-?"[level.verdict.index()];
  return verdicts;
}

inline std::string text(const Verdicts& verdicts) {
  std::string line;
  for (const auto& [level, verdict] : verdicts) {
    if (!line.empty()) line += ' ';
    line += info(level).name;
    line += verdict;
  }
  return line;
}

// What a stronger level allows, a weaker one allows too.
inline void expect_lattice(const Verdicts& verdicts) {
  for (const auto& [strong, strong_verdict] : verdicts)
    for (const auto& [weak, weak_verdict] : verdicts)
      if (is_stronger_or_equal(strong, weak)) {
        EXPECT_FALSE(strong_verdict == '+' && weak_verdict == '-')
            << info(strong).name << " allows what " << info(weak).name << " forbids";
      }
}

}  // namespace isomer::check
