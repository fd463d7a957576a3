// SPDX-License-Identifier: MIT
// Random small applications of the kind that only a database gives a meaning to: guarded
// updates, unique and foreign keys, upserts, locks, EXCEPTION, subqueries, NULLs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "database/schedule.h"

namespace isomer::explore {

struct RandomScenario {
  std::string application;
  std::string sessions;  // the scenario, without the line that names the application
  std::vector<database::BeginOptions> begin;  // by transaction type
};

RandomScenario random_scenario(
    std::uint64_t seed, database::Database database = database::Database::PostgreSql);

// Reads both through a file that it writes.
program::Program program_of(const RandomScenario& scenario);

}  // namespace isomer::explore
