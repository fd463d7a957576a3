// SPDX-License-Identifier: MIT
// `isomer run`, `isomer explore` and `isomer levels` at the level of a database.
#pragma once

#include <string>
#include <vector>

#include "cli/arguments.h"
#include "database/level_name.h"

namespace isomer::cli {

// Whether --level names a level of a database; or, without --level and what else only
// abstract levels have, whether the scenario's [levels] are such.
bool asks_for_database(const Arguments& arguments);

// They give the exit status.
int run_at_database(const Arguments& arguments);
int explore_at_database(const Arguments& arguments);
int show_rules(const std::string& word, const Arguments& arguments);

// Those that have a model.
std::vector<database::DatabaseLevel> modelled_levels();

}  // namespace isomer::cli
