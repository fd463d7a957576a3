// SPDX-License-Identifier: MIT
// `isomer explore`: every complete history of a bounded program under a level, each exactly
// once, with its assertions checked on each.
//
// The algorithm is explore-ce of "Dynamic Partial Order Reduction for Checking Correctness
// against Transaction Isolation Levels" (Bouajjani, Enea, Roman-Calvo, PLDI'23), with its
// predicate `swapped` put right (docs/engines/explore.md).  Levels that are not causally
// extensible are explored under a weaker base and filtered, explore-ce*.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/budget.h"
#include "check/check.h"
#include "history/history.h"
#include "program/ir.h"
#include "program/machine/machine.h"
#include "store/store.h"

namespace isomer::explore {

using program::Program;
using program::Value;

// The levels that explore-ce is strongly optimal for.  True allows every history.
enum class Base : std::uint8_t { True, RC, RA, CC };

std::string_view name(Base base);  // "true", "RC", ...
std::optional<Base> base_named(std::string_view name);

// Dpor is explore-ce or explore-ce*; Dfs has no reduction: every order of transactions, and
// the same history as often as there are orders that lead to it.
enum class Algorithm : std::uint8_t { Dpor, Dfs };

// What to stop at: nothing (all histories are counted), the first history that fails an
// assertion, or the first that serializability forbids.
enum class Find : std::uint8_t { All, Failing, Unserializable };

struct Progress {
  double fraction = 0;  // of the tree, as far as can be told: 0 to 1
  std::uint64_t histories = 0;
  std::uint64_t end_states = 0;
};

struct Options {
  std::optional<check::AskedLevel> level = check::Level::CC;  // absent: `true`
  std::optional<Base> base;  // absent: the strongest that the level is known to imply
  // Explored under this instead.  The level must imply it, and it must be closed under
  // prefixes and causally extensible (extensible.h), or histories may be missed.
  std::optional<check::AskedLevel> base_text;
  bool is_base_proved = true;  // off: nobody knows whether it is, so neither the result
  Algorithm algorithm = Algorithm::Dpor;
  Find find = Find::All;
  program::Granularity granularity = program::Granularity::Row;
  bool prune = true;     // explore-ce*: leave branches early that cannot become consistent
  bool minimise = true;  // the failing history, to fewest transactions
  unsigned jobs = 1;
  Budget budget;
  // Called for each history, from one thread at a time; in the order of the search if jobs
  // is 1.  The history's transactions carry their calls as names.
  std::function<void(const history::History&)> on_history;
  // Called now and then, from one thread at a time.
  std::function<void(const Progress&)> on_progress;
};

enum class FailureKind : std::uint8_t {
  Assert,          // an ASSERT (SQL) or assert (litmus) inside a transaction
  Invariant,       // of the scenario, or a final assert of a litmus program
  Unserializable,  // Find::Unserializable
};

// One history that fails, and how.
struct Failure {
  FailureKind kind = FailureKind::Invariant;
  std::string name;     // of the invariant; empty for Assert and Unserializable
  std::string message;  // what an Assert says; why an invariant could not be evaluated
  program::Span at;     // Assert: the statement, in Program::source
  history::History history;
  std::vector<program::Span> places;                    // by operation of the history
  std::vector<store::TransactionOutcome> transactions;  // in an order that explains reads
  // Invariant of an SQL program: the final state that breaks it, and the commit order that
  // it comes from, as indexes into `transactions` (committed ones, first to last).
  store::FinalState final_state;
  std::vector<std::uint32_t> commit_order;
  std::vector<store::InvariantOutcome> invariants;  // all of them, in that final state
  std::uint32_t dropped = 0;     // calls of the program that the failure does not need
  bool is_serializable = false;  // Assert: with the reads of aborted transactions
  // What certification adds.  The history as levels judge it: a transaction that aborted
  // has its reads and no writes, and its reads must be explained like any other's.
  // Transactions and keys have the same ids as in `history`.
  history::History judged;
  check::Result levels;  // of `judged`: the built-in ones, and the level explored
};

struct Result {
  Base base = Base::CC;                  // explored under
  std::string base_name;                 // of the base, or of the text
  bool is_filtered = false;              // explore-ce*: the level decided at the end
  std::uint64_t histories = 0;           // that the level allows; with Dfs, different ones
  std::uint64_t end_states = 0;          // before the filter; with Dfs, paths to the end
  std::uint64_t explored = 0;            // states: calls of `explore`
  std::uint64_t blocked = 0;             // states without an end and without a successor
  std::uint64_t pruned = 0;              // branches left early
  std::uint64_t assertion_failures = 0;  // histories that fail some assertion
  std::uint64_t unserializable = 0;      // only with Find::Unserializable: 0 or 1
  std::optional<check::Certified<Failure>> failure;  // the first, minimised
  bool may_miss = false;     // all were seen that the base leads to; is_base_proved was off
  bool is_complete = false;  // all histories were seen, or what was looked for was found
  std::string unknown;       // not complete: "timeout", "interrupted", "memory", ...
  double seconds = 0;
  double peak_mib = 0;  // of the whole process
};

// The program must have values for all its symbols (store::missing_values is empty).
Result explore(const Program& program, const Options& options);

// A failing history is certified before anybody sees it (check/certify/certified.h says
// what that means): the level must allow the history as levels judge it, every history if
// there is none; and SER what is_serializable says.  Sets judged and levels.
tl::expected<check::Certified<Failure>, std::string> certify(
    Failure failure, const std::optional<check::AskedLevel>& level, const Budget& budget);

}  // namespace isomer::explore
