// SPDX-License-Identifier: MIT
// The parts that JSON documents of several commands share.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/diagnostic.h"
#include "check/check.h"
#include "history/history.h"
#include "store/store.h"

namespace isomer::report {

// The members of an object stay in the order they were added.
using Json = nlohmann::ordered_json;

// Bytes of the input that are not UTF-8 become U+FFFD.
std::string document_text(const Json& document);

// "errors", as every document has them.
Json diagnostics_json(const Diagnostics& errors);

// {"sessions": [{"name": S, "transactions": [{"name": T, "status": ..., "operations":
// ...}]}]}, and "initial" and "initial_of" if keys begin with something else than 0.
// `isomer check` reads it.
Json history_json(const history::History& history);

Json names_json(const history::History& history, std::span<const history::TxnId> txns);

// Why a level forbids a history.  With "verdict": "violation" first.
Json violation_json(const history::History& history, const check::Violated& violated);

// {"SI": {"verdict": "violation", "anomaly": .., "summary": ..}, "RC": {"verdict": "ok"}}
Json verdicts_json(const check::Result& levels);

// --- what became of a program ---

// {"file": F, "line": n, "column": n}
Json place_json(const program::Program& program, const program::Span& at);

Json transaction_json(const program::Program& program,
                      const store::TransactionOutcome& outcome);

Json value_json(const program::Value& value);

// The value of each key; a row is the list of its columns.
Json state_json(const store::FinalState& state);

// What was wrong with the input.
std::string errors_json(const Diagnostics& errors);

// A limit, and what the command was doing.
struct Undecided {
  std::string reason;    // "timeout", "memory" or "interrupted"
  std::string activity;  // "reading bank.hist"; may be empty
  double seconds = 0;    // since the start
};

// "the time limit ended while reading bank.hist"
std::string undecided_text(const Undecided& undecided);

// "undecided", as every document has it.
Json undecided_json_part(const Undecided& undecided);

// The document of a command that has no other answer; what its schema asks of every answer
// is there, and says that nothing is known.
std::string undecided_json(std::string_view command, const Undecided& undecided);

}  // namespace isomer::report
