// SPDX-License-Identifier: MIT
// What became of a program, for programs: the parts of JSON documents that `isomer run`,
// `isomer explore`, `isomer predict` and `isomer verify` share.
#pragma once

#include "check/check.h"
#include "report/history_json.h"
#include "store/store.h"

namespace isomer::report {

// {"file": F, "line": n, "column": n}
Json place_json(const program::Program& program, const program::Span& at);

Json transaction_json(const program::Program& program,
                      const store::TransactionOutcome& outcome);

Json value_json(const program::Value& value);

// The value of each key; a row is the list of its columns.
Json state_json(const store::FinalState& state);

// {"SI": {"verdict": "violation", "anomaly": .., "summary": ..}, "RC": {"verdict": "ok"}}
Json verdicts_json(const check::Result& levels);

// Bytes of the input that are not UTF-8 become U+FFFD.
std::string document_text(const Json& document);

}  // namespace isomer::report
