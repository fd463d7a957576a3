// SPDX-License-Identifier: MIT
// Levels for people and for programs: what `isomer levels` prints.
#pragma once

#include <span>
#include <string>

#include "base/diagnostic.h"
#include "database/level_name.h"
#include "level/level.h"

namespace isomer::report {

struct LevelsTextOptions {
  bool colour = false;
};

struct ListedLevels {
  std::span<const level::Level> texts;
  std::span<const database::DatabaseLevel> of_databases{};
};

// One line each, by framework.
std::string level_list_text(std::span<const level::Level> levels,
                            const LevelsTextOptions& options);

// The definition, what it rests on, and what it implies.
std::string level_text(const level::Level& level, const LevelsTextOptions& options);

// docs/schema/levels.schema.json describes it.
std::string levels_json(const ListedLevels& levels, const Diagnostics& errors);

}  // namespace isomer::report
