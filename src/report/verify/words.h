// SPDX-License-Identifier: MIT
// The words of `isomer verify`, the same in text and page.
#pragma once

#include "report/verify/report.h"

namespace isomer::report {

inline constexpr std::string_view nothing_to_verify =
    "the program has no assertions or invariants to verify; try --no-lost-updates or "
    "--constraints";

std::string_view verdict_word(verify::Verdict verdict);  // "holds", "VIOLATED", ..

// "2 sessions, 2 transactions, any values of ?a and ?b; 1 invariant at 8 levels".
std::string question_text(const Verified& verified);

// "the weakest levels that suffice: PC, PSI".
std::string sufficiency_text(const Verified& verified);

// `SI: invariant "no overdraft" is broken`.
std::string violation_headline(const Violation& violation);

}  // namespace isomer::report
