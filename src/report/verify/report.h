// SPDX-License-Identifier: MIT
// The result of `isomer verify` for people and for programs.  Everything here returns
// strings; nothing prints.
#pragma once

#include <string>
#include <vector>

#include "report/failing_history/failing_history.h"
#include "reproduce/abstract.h"
#include "verify/verify.h"

namespace isomer::report {

struct Violation {
  const check::AskedLevel& level;
  const verify::Answer& answer;  // with a counterexample
};

struct Verified {
  const program::Program& program;
  const verify::Options& options;
  const verify::Result& result;
  std::vector<Violation> violations;  // all of them, level by level
  // The one that is told, on a server; null: none was asked, or there is none.
  const reproduce::Tried* there = nullptr;
};

std::vector<Violation> violations_in(const verify::Options& options,
                                     const verify::Result& result);

// The one that text and page tell: at the last of the strongest levels that have one, since
// weaker levels allow the same run.  Null if there is none.
const Violation* told_violation(const Verified& verified);

FailingHistory failing_history(const Violation& violation);

// The levels at which all invariants hold, or the one named, and none that is stronger than
// another of these.
std::vector<check::AskedLevel> weakest_sufficient(const Verified& verified);
std::vector<check::AskedLevel> weakest_sufficient(const Verified& verified,
                                                  const std::string& invariant);

// The invariants asked about, in order.
std::vector<std::string> invariants_of(const verify::Result& result);

// Whom each transaction sees, as the model says: "b/1 sees a/1", "a/1 sees nobody".
std::vector<std::string> visibility_sentences(const verify::Counterexample& example);

struct VerifyTextOptions {
  bool colour = false;
  // The command as the person typed it, for the hint of what to do next; empty: no hint.
  std::string command{};
  std::size_t width = 100;
};

std::string verify_text(const Verified& verified, const VerifyTextOptions& options);

// docs/schema/verify.schema.json describes it.
std::string verify_json(const Verified& verified);

// The violation that is told.
std::string verify_dot(const Verified& verified);
std::string verify_html(const Verified& verified);

// --- the words that text and page share (words.cpp) ---

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
