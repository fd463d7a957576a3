// SPDX-License-Identifier: MIT
// Random small applications of the kind that only a database gives a meaning to: guarded
// updates, unique and foreign keys, upserts, locks, EXCEPTION, subqueries, NULLs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "database/schedule.h"
#include "explore/schedules.h"

namespace isomer::explore {

struct RandomScenario {
  std::string application;
  std::string sessions;  // the scenario, without the line that names the application
  std::vector<database::BeginOptions> begin;  // by transaction type
};

// Do the calls go on after some of their errors?
enum class Errors : std::uint8_t { Caught, EndTheCall };

// Of what the database can say, at levels that it has.
RandomScenario random_scenario(std::uint64_t seed,
                               database::Database database = database::Database::PostgreSql,
                               Errors errors = Errors::Caught);

// Reads both through a file that it writes.
program::Program program_of(const RandomScenario& scenario);

// What is told of calls and rows, whoever ran them.
std::string told(const std::vector<std::vector<database::CallEnd>>& calls,
                 const TableRows& rows);

}  // namespace isomer::explore
