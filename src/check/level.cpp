// SPDX-License-Identifier: MIT
#include "check/level.h"

#include <algorithm>
#include <cctype>

namespace isomer::check {
namespace {

constexpr std::array<LevelInfo, level_count> infos = {{
    {Level::RC, "RC", "read committed", "Read Committed"},
    {Level::RA, "RA", "read atomic", "Read Atomic"},
    {Level::CC, "CC", "causal consistency", "Causal Consistency"},
    {Level::PC, "PC", "prefix consistency", "Prefix"},
    {Level::PSI, "PSI", "parallel snapshot isolation", "NoConflict"},
    {Level::SI, "SI", "snapshot isolation", "Conflict"},
    {Level::SER, "SER", "serializability", "Serializability"},
}};

}  // namespace

const LevelInfo& info(Level level) {
  return infos[static_cast<std::size_t>(level)];
}

std::optional<Level> level_named(std::string_view name) {
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) ==
           std::toupper(static_cast<unsigned char>(b));
  };
  for (const LevelInfo& i : infos)
    if (std::equal(name.begin(), name.end(), i.name.begin(), i.name.end(), same))
      return i.level;
  return std::nullopt;
}

// RC < RA < CC < PC, PSI < SI < SER; PC and PSI are incomparable.
bool is_stronger_or_equal(Level strong, Level weak) {
  if (strong == Level::PSI && weak == Level::PC) return false;
  return strong >= weak;
}

}  // namespace isomer::check
