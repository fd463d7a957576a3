// SPDX-License-Identifier: MIT
// The words of `isomer advise`, the same in text and page.
#pragma once

#include <string>
#include <vector>

#include "report/advise/report.h"
#include "report/audit/words.h"

namespace isomer::report {

// "6 transaction types, any number of each; levels EC, PSI, SER; cycles of up to 4
// transactions".
std::string question_text(const Advised& advised);

// "If nothing is changed, with EC for all: 3 anomalies are possible."
std::string unchanged_text(const Advised& advised);

// "2 of 6 types changed, price 3".
std::string price_text(const Advised& advised, const audit::Advice& advice);
// "The price of a level is its place in the list: EC 0, PSI 1, SER 2."
std::string price_list_text(const audit::Offer& offer);

// "withdraw with deposit".
std::string pair_text(const Advised& advised, const std::vector<std::uint32_t>& types);

// What goes wrong without the change: "at SI: write skew: withdraw and deposit".
std::string need_text(const Advised& advised, const audit::Advice& advice,
                      const audit::Change& change);

// The change of a type or pair, if there is one.
const audit::Change* change_of(const audit::Advice& advice, std::uint32_t type);

// What is changed: "enroll at PSI", "enroll with remove_course serial".
std::string change_text(const Advised& advised, const audit::Advice& advice,
                        const audit::Change& change);

// That levels and serial pairs together are no cheaper, if that is known; empty if not.
std::string no_mixture_text(const Advised& advised);

// Whether it is certain that nothing cheaper is enough.
std::string minimality_text(const audit::Advice& advice);

// What is wrong with all that is offered, or that it is not known to be enough.
std::string nothing_enough_text(const Advised& advised);

// How to tell the database; empty if that is not known.
std::string how_to_text(const Advised& advised);

}  // namespace isomer::report
