// SPDX-License-Identifier: MIT
// The seven built-in levels: Biswas & Enea's RC, RA, CC, PC, SI, SER, and PSI of Cerone et
// al.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace isomer::check {

enum class Level : std::uint8_t { RC, RA, CC, PC, PSI, SI, SER };

inline constexpr std::array all_levels = {Level::RC,  Level::RA, Level::CC, Level::PC,
                                          Level::PSI, Level::SI, Level::SER};

inline constexpr std::size_t level_count = all_levels.size();

struct LevelInfo {
  Level level;
  std::string_view name;   // "SI"
  std::string_view title;  // "snapshot isolation"
  std::string_view axiom;  // the axiom that makes the level what it is
};

const LevelInfo& info(Level level);

// By name, without regard to case.
std::optional<Level> level_named(std::string_view name);

// Every history that `strong` allows, `weak` allows too.  Reflexive.
bool is_stronger_or_equal(Level strong, Level weak);

}  // namespace isomer::check
