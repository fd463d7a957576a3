// SPDX-License-Identifier: MIT
// What levels beside the built-in ones say of a history that RC forbids: which allow it,
// and why the others do not.
#pragma once

#include <string>

#include "check/check.h"
#include "report/json.h"

namespace isomer::report {

// Empty if they were not asked, or null.
std::string library_text(const check::Result& result);
std::string library_html(const check::Result& result);
Json library_json(const check::Result& result);

}  // namespace isomer::report
