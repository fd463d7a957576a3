// SPDX-License-Identifier: MIT
// `isomer verify`: do the invariants of a program survive a level?  Every run with any
// parameters and any initial data, by symbolic execution and one question to a solver for
// each level and invariant.
//
// After "Verifying Weakly Consistent Transactional Programs Using Symbolic Execution"
// (Kulahcioglu Ozkan, NETYS 2020); docs/engines/verify.md says what is different.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "check/check.h"
#include "explore/explore.h"
#include "program/ir.h"
#include "store/store.h"

namespace isomer::verify {

// Exact: visibility, order and who reads from whom are open, the level's text says what is
// allowed.  Paper: the arbitration, input and output states of the paper's section 3; for
// SER, SI, PSI, PC and CC only, and without sessions.
enum class Encoding : std::uint8_t { Exact, Paper };

enum class Verdict : std::uint8_t { Holds, Violated, Unknown };

struct Options {
  std::vector<check::AskedLevel> levels;
  Encoding encoding = Encoding::Exact;
  std::uint32_t rows_max = 3;  // symbolic rows in tables that are scanned
  bool has_overflow = false;
  // Beside the invariants of the scenario:
  bool no_lost_updates = false;
  bool constraints = false;  // unique and foreign-key constraints hold in the final state
  // Any `instances` calls of the application's transactions at once, each in a session of
  // its own, instead of the scenario's calls.
  std::optional<std::uint32_t> instances;
  std::uint32_t unroll_max = 16;
  bool breaks_symmetry = true;  // of sessions that are alike (verify/symmetry.h)
  // Of the solver, some millions a second; then it is asked case by case (verify/cases.h).
  std::uint32_t steps_at_once = 3'000'000;
  Budget budget;                               // for all
  std::optional<double> seconds_per_question;  // for each level and invariant
  std::function<void(const std::string& level, const std::string& invariant)> on_question;
};

// One run that breaks an invariant, with concrete values; replayed and checked.
struct Counterexample {
  // The program with these initial rows and calls, every ?x with its value: what explore
  // and run can execute.
  program::Program program;
  std::vector<std::pair<std::string, program::Value>> symbols;  // ?x = 100
  store::FinalState initial_state;
  // The replay: history, outcomes, final state and invariants in it, as explore has them.
  check::Certified<explore::Failure> failure;
  // By transaction, as (session, index): those whose writes it sees, as the model says.
  // Empty if the level's framework has no visibility.
  std::vector<std::pair<store::Place, std::vector<store::Place>>> sees;
  std::vector<store::Place> order;  // of commits, or arbitration
  // Not empty (only with Encoding::Paper): why no execution of the level is like this one.
  std::string gap;
};

struct Answer {
  std::string invariant;  // "no overdraft"; "ASSERT" of transactions; built-in ones
  Verdict verdict = Verdict::Unknown;
  std::string unknown;        // why
  std::string contradiction;  // not empty: a mistake of ours; nothing else counts
  double seconds = 0;
  std::size_t formula_size = 0;
  std::size_t queries = 0;  // to the solver; the paper's #q
  std::optional<Counterexample> counterexample;
};

struct LevelAnswer {
  std::string level;  // as asked
  std::vector<Answer> answers;
};

struct Result {
  std::vector<LevelAnswer> levels;
  // What a "holds" rests on: "at most 3 rows in account", "loops of at most 16 rounds",
  // "mathematical integers", "lower() is any function".
  std::vector<std::string> bounds;
  double seconds = 0;
};

// Diagnostics: what the program has that cannot be verified, with its place; or that
// nothing satisfies what it assumes.
Expected<Result> verify(const program::Program& program, const Options& options);

}  // namespace isomer::verify
