// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/finding.h"
#include "report/ink.h"

namespace isomer::report {

// One violation for people: who is involved, the cycle edge by edge, and what it means.
std::string finding_text(const history::History& history, const Finding& finding,
                         const Ink& ink);

}  // namespace isomer::report
