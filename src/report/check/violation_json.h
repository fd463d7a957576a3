// SPDX-License-Identifier: MIT
// Why a level forbids a history, as a part of JSON documents.
#pragma once

#include <span>

#include "check/check.h"
#include "report/json.h"

namespace isomer::report {

Json names_json(const history::History& history, std::span<const history::TxnId> txns);

// With "verdict": "violation" first.
Json violation_json(const history::History& history, const check::Violated& violated);

}  // namespace isomer::report
