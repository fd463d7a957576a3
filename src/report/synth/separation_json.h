// SPDX-License-Identifier: MIT
// The parts of a JSON document that synth and compare share.
#pragma once

#include "report/history_json.h"
#include "report/synth/separation.h"

namespace isomer::report {

// {"transactions": n, "keys": n, "values": n}
Json scope_json(const synth::Scope& scope);

// The history, how each allowed level explains it, and why each forbidden one cannot.
Json separation_json(const Separation& separation);

}  // namespace isomer::report
