// SPDX-License-Identifier: MIT
// What each level says of a history, side by side.
#pragma once

#include <string>

#include "check/check.h"
#include "report/ink.h"
#include "report/json.h"

namespace isomer::report {

// "ok", "NO" or "?".
std::string verdict_text(const check::LevelResult& level, const Ink& ink);

// The names of the levels, below them the verdicts, and which is the strongest that allows
// the history.
std::string verdict_table_text(const check::Result& result, const Ink& ink);
std::string verdict_table_html(const check::Result& result);

bool is_any_undecided(const check::Result& result);

// Which levels would have prevented it: "PSI already forbids this history, and so does
// every stronger level."  Empty if none is known to.
std::string prevention_text(const check::Result& result);

// What levels beside the built-in ones say of a history that RC forbids: which allow it,
// and why the others do not.  Empty, or null, if they were not asked.
std::string library_text(const check::Result& result);
std::string library_html(const check::Result& result);
Json library_json(const check::Result& result);

}  // namespace isomer::report
