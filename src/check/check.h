// SPDX-License-Identifier: MIT
// `isomer check`: does a level allow a recorded history?  If so, a witness; if not, why.
//
// The built-in levels have checkers of their own; any other level is decided from its text
// (check/generic/generic.h).
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "check/asked_level.h"
#include "check/certify/certified.h"
#include "check/level.h"
#include "history/history.h"

namespace isomer::check {

using history::History;
using history::init;
using history::KeyId;
using history::ReadId;
using history::TxnId;

enum class EdgeKind : std::uint8_t { So, Wr, Ww, Rw };

std::string_view name(EdgeKind kind);  // "so", "wr", "ww", "rw"

// `from` comes before `to`, and why.
//
// So: they are of the same session; key and via are none.
//
// Wr: `to` read key from `from`; via is none.
//
// Ww: both write key, and the version of `from` is the older one.  If via is a transaction,
// it read key from `to`, although `because`, a path from `from` to via, made it see the
// version of `from`.  If via is none, `because` is empty (the reads of a list-append
// history revealed the order) or a path of edges that already puts `from` before `to`.
//
// Rw: `from` read key from via, and `to` overwrote that version.  `because`, if not empty,
// is a path from via to `to` that shows which version is older; none is needed for init.
struct Edge {
  TxnId from;
  TxnId to;
  EdgeKind kind = EdgeKind::So;
  KeyId key;
  TxnId via;
  std::vector<Edge> because;
};

// Which writer an ambiguous read was taken to read from.
struct Choice {
  ReadId read;
  TxnId writer;
};

// One witness relation of an execution: co, or vo of one key.
struct WitnessRelation {
  std::string name;
  KeyId key;                                   // none() unless there is one for each key
  bool is_order = false;                       // a total order of `order`; else `pairs`
  std::vector<TxnId> order;                    // first to last
  std::vector<std::pair<TxnId, TxnId>> pairs;  // by id
};

struct Consistent {
  // A strict total order of all transactions that took effect, the initial one first.
  // Together with the axioms it is the witness: the commit order co, or for PSI the
  // arbitration order ar, with vis the transitive closure of so, wr and the ww that ar
  // gives.
  std::vector<TxnId> commit_order;
  std::vector<Choice> choices;  // one for each ambiguous read
  // Of a level decided from its text: the whole execution.  The commit order above is then
  // its one order of all transactions, if it has just one.
  std::vector<WitnessRelation> relations = {};
  std::vector<TxnId> taken = {};  // of unknown outcome, taken to have committed
};

struct Violated {
  std::string anomaly;  // "lost update"
  // "Conflict"; for problems of a single read, "read consistency".  Several if no execution
  // satisfies them together.
  std::vector<std::string> axioms;
  std::string summary;  // one sentence in plain words, without names of transactions
  // The transactions that are already inconsistent by themselves, by id, with the initial
  // one if it matters.  Minimal: without any one of them the rest is allowed (unless
  // is_minimal is off because time ran out).
  std::vector<TxnId> transactions;
  bool is_minimal = true;
  // A cycle: each edge's `to` is the next one's `from`, and the last closes it.  Empty if
  // the violation is a single read's (see problem), or if each order fails in its own way.
  std::vector<Edge> cycle;
  std::optional<history::Problem> problem;
  // Of a level decided from its text: the built-in level whose checker found the cycle.
  std::optional<Level> cycle_of = {};
};

struct Unknown {
  std::string reason;  // "timeout", "interrupted", "memory"
};

using Verdict = std::variant<Consistent, Violated, Unknown>;

struct Stats {
  std::uint64_t known_edges = 0;  // after saturation
  std::uint64_t solver_calls = 0;
  std::uint64_t learned_clauses = 0;
};

struct LevelResult {
  AskedLevel level;
  Verdict verdict;
  double seconds = 0;
  Stats stats;
};

struct Options {
  std::vector<AskedLevel> levels{all_levels.begin(), all_levels.end()};
  Budget budget;
  // Derive the commit orders of histories of 100,000 operations and more again, too.
  bool certifies_all_witnesses = false;
  bool asks_library = false;  // see Result::library
};

struct Result {
  std::vector<LevelResult> levels;  // in the order of Options::levels
  // What other levels say if RC was asked and forbids the history, and no level that was
  // asked allows it (check/uncertified.h).
  std::vector<LevelResult> library = {};
  // Off: what is Consistent rests on the checkers; a violation never does.
  bool has_certified_witnesses = true;
};

// Decides, and certifies what it says.
Certified<Result> certified_answers(const History& history, const Options& options);

// The strongest of the levels found Consistent: those that no other consistent one is known
// to imply.
std::vector<AskedLevel> strongest_allowed(const Result& result);

}  // namespace isomer::check
