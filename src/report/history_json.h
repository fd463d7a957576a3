// SPDX-License-Identifier: MIT
// A history inside JSON, the same in all documents.
#pragma once

#include "history/history.h"
#include "report/json.h"

namespace isomer::report {

// {"sessions": [{"name": S, "transactions": [{"name": T, "status": ..., "operations":
// ...}]}]}, and "initial" and "initial_of" if keys begin with something else than 0.
// `isomer check` reads it.
Json history_json(const history::History& history);

}  // namespace isomer::report
