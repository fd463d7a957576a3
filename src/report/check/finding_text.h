// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "report/check/finding.h"
#include "report/ink.h"

namespace isomer::report {

// One violation for people: who is involved, the cycle edge by edge, and what it means.
std::string finding_text(const history::History& history, const Finding& finding,
                         const Ink& ink);

// Its parts: "lost update on x", and why, without who is involved.
std::string finding_title(const history::History& history, const Finding& finding);
std::string finding_reasons(const history::History& history, const Finding& finding,
                            const Ink& ink);

}  // namespace isomer::report
