// SPDX-License-Identifier: MIT
// Why a level forbids a history, as a part of JSON documents.
#pragma once

#include <span>

#include <nlohmann/json.hpp>

#include "check/check.h"

namespace isomer::report {

using Json = nlohmann::ordered_json;

Json names_json(const history::History& history, std::span<const history::TxnId> txns);

// With "verdict": "violation" first.
Json violation_json(const history::History& history, const check::Violated& violated);

}  // namespace isomer::report
