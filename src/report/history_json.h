// SPDX-License-Identifier: MIT
// A history inside JSON, the same in all documents.
#pragma once

#include <nlohmann/json.hpp>

#include "history/history.h"

namespace isomer::report {

using Json = nlohmann::ordered_json;

// {"sessions": [{"name": S, "transactions": [{"name": T, "status": ..., "operations":
// ...}]}]}, and "initial" and "initial_of" if keys begin with something else than 0.
// `isomer check` reads it.
Json history_json(const history::History& history);

}  // namespace isomer::report
