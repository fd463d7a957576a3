// SPDX-License-Identifier: MIT
// The parts of a JSON document that synth and compare share.
#pragma once

#include <nlohmann/json.hpp>

#include "report/separation.h"

namespace isomer::report {

using Json = nlohmann::ordered_json;

// {"sessions": [{"name": S, "transactions": [{"name": T, "status": ..., "operations":
// ...}]}]}
Json history_json(const history::History& history);

// {"transactions": n, "keys": n, "values": n}
Json scope_json(const synth::Scope& scope);

// The history, how each allowed level explains it, and why each forbidden one cannot.
Json separation_json(const Separation& separation);

}  // namespace isomer::report
