// SPDX-License-Identifier: MIT
#include "check/asked_level.h"

#include <array>
#include <utility>

namespace isomer::check {
namespace {

// Equal by theorems of Cerone, Bernardi & Gotsman (2015) and Biswas & Enea (2019), and by
// differential tests of the checkers against the texts.
constexpr std::array<TextOfBuiltIn, 13> texts_with_checkers = {{
    {"biswas:RC", Level::RC},
    {"biswas:RA", Level::RA},
    {"biswas:CC", Level::CC},
    {"biswas:PC", Level::PC},
    {"biswas:SI", Level::SI},
    {"biswas:SER", Level::SER},
    {"cerone:EC", Level::RA},
    {"cerone:RA", Level::RA},
    {"cerone:CC", Level::CC},
    {"cerone:PC", Level::PC},
    {"cerone:PSI", Level::PSI},
    {"cerone:SI", Level::SI},
    {"cerone:SER", Level::SER},
}};

// What a user's file defines is never taken for the level of the same name.
std::optional<Level> checker_of(const level::Level& definition) {
  if (!definition.file.empty()) return std::nullopt;
  for (const auto& [name, level] : texts_with_checkers)
    if (definition.qualified_name() == name) return level;
  return std::nullopt;
}

}  // namespace

std::span<const TextOfBuiltIn> texts_of_built_ins() {
  return texts_with_checkers;
}

AskedLevel::AskedLevel(Level level)
    : name(info(level).name), title(info(level).title), built_in(level) {}

AskedLevel::AskedLevel(std::string asked_name, level::Level asked)
    : name(std::move(asked_name)),
      title(asked.title.empty() ? name : asked.title),
      built_in(checker_of(asked)) {
  if (!built_in) definition = std::move(asked);
}

namespace {

// In these frameworks of the library a transaction is seen as a whole or not at all, and
// who is seen is not overwritten by what was read: that is Read Atomic.
bool is_read_atomic_by_framework(const AskedLevel& level) {
  return level.definition && level.definition->file.empty() &&
         (level.definition->framework == "cerone" ||
          level.definition->framework == "anode");
}

}  // namespace

bool is_stronger_or_equal(const AskedLevel& strong, const AskedLevel& weak) {
  if (strong == weak) return true;
  if (weak.built_in && is_read_atomic_by_framework(strong))
    return is_stronger_or_equal(Level::RA, *weak.built_in);
  return strong.built_in && weak.built_in &&
         is_stronger_or_equal(*strong.built_in, *weak.built_in);
}

}  // namespace isomer::check
