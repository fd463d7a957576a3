// SPDX-License-Identifier: MIT
// The controlled store: runs the sessions of a program one transaction after another, and
// decides what each read returns.
//
// Under the policy `latest` a read returns what was committed last, so the run is serial.
// Under `random` it returns any committed version that the level still allows, chosen by
// seed, as MonkeyDB does (Biswas et al., OOPSLA'21).  Under `script` it returns what a
// given history says, and the store reports where the program first leaves it; a read that
// the history does not have, or has as the level given with it forbids, returns the latest
// version that the level allows.
//
// Which transaction comes next is chosen by seed as well.  A transaction whose reads or
// writes the level cannot allow in any way is rolled back ("could not serialize access"),
// as databases do.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/diagnostic.h"
#include "check/asked_level.h"
#include "history/history.h"
#include "program/ir.h"
#include "program/machine/machine.h"

namespace isomer::store {

using program::KeyName;
using program::Program;
using program::Value;

enum class Policy : std::uint8_t { Latest, Random, Script };

// A transaction of the program: its session, and its place in it.
using Place = std::pair<std::uint32_t, std::uint32_t>;

struct ScriptedRead {
  KeyName key;
  std::optional<Place> writer;  // absent: the initial transaction
};

// How a script that is only a part of a run belongs to the calls of the program.  A call
// before one that the script has, in its session, was rolled back when the script was
// written down: it is tried again.  Calls behind the last one are not made.
struct ScriptedCalls {
  std::vector<Place> calls;  // by transaction of the script; that of the initial one is any
  std::vector<bool> is_cut;  // by transaction: the script has only its first operations
  std::vector<history::TxnId> order;  // in which they run, each behind those it reads from
  // What calls that were rolled back had read, if that is known.  They read the same again
  // where they can; else they might commit for no reason that the script has.
  std::map<Place, std::vector<ScriptedRead>> tries;
};

struct Options {
  Policy policy = Policy::Latest;
  std::optional<check::AskedLevel> level;  // of random; of script if it is to be kept
  std::uint64_t seed = 1;
  const history::History* script = nullptr;       // of the policy script
  const ScriptedCalls* scripted_calls = nullptr;  // null: the calls of each session in turn
  program::Granularity granularity = program::Granularity::Row;
  Budget budget;
};

struct TransactionOutcome {
  std::uint32_t session = 0;  // index into Program::sessions
  std::uint32_t index = 0;    // within its session
  bool is_committed = false;
  bool is_unknown = false;  // of a real server: it may have committed
  Value result;
  std::string reason;    // if rolled back
  std::string sqlstate;  // if rolled back, in SQL programs
  bool has_failed_assert = false;
  program::Span at;       // the statement that rolled it back
  bool is_limit = false;  // a limit of ours did: on a server it might have gone on
};

struct InvariantOutcome {
  std::string name;
  bool holds = false;     // in every final state that the run may have
  std::string error;      // if it could not be evaluated: then it does not hold
  bool is_limit = false;  // that is a limit of ours
  std::size_t broken_states = 0;
};

// Where a scripted run left its script.
struct Divergence {
  std::uint32_t session = 0;
  std::uint32_t index = 0;
  std::string what;  // "reads account/1, but the script has account/2"
};

// The last version of each key.
using FinalState = std::map<KeyName, Value>;

struct Run {
  history::History history;                      // with the places of its operations
  std::vector<TransactionOutcome> transactions;  // in the order in which they ran
  // One that breaks an invariant, if there is such a one.  A serial run has one final
  // state; with a level, what an observer may read who has seen every transaction.
  FinalState final_state;
  std::size_t final_state_count = 1;
  bool has_all_final_states = true;  // false: there may be more than were counted
  // False: a scripted run that the level given with it does not allow; commits are then
  // taken in the order of the run.
  bool is_allowed = true;
  std::vector<InvariantOutcome> invariants;
  std::optional<Divergence> divergence;
  // Not empty: the time ran out before the run was complete, or a limit of ours was met.
  std::string unknown;
};

// A program can be run only if every ?x of its calls has a value; says which has none.
Diagnostics missing_values(const Program& program);

// A program made ready to be run many times.  The program must outlive it.
class Store {
 public:
  explicit Store(const Program& program);

  [[nodiscard]] Run run(const Options& options) const;

 private:
  const Program& program_;
  std::vector<std::vector<Value>> arguments_;  // of every call, session by session
  Program invariants_;  // each invariant as a transaction type that returns its truth
};

}  // namespace isomer::store
