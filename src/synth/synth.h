// SPDX-License-Identifier: MIT
// `isomer synth`: a history that some levels allow and others forbid, among all histories
// of a bounded size (Barros et al., "Isolde").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "check/check.h"
#include "history/history.h"
#include "level/level.h"

namespace isomer::synth {

using history::History;
using history::TxnId;
using level::Level;

// How large a history may be.  The initial transaction does not count, the initial value
// does.
struct Scope {
  std::uint32_t transactions = 0;
  std::uint32_t keys = 0;
  std::uint32_t values = 0;
  std::optional<std::uint32_t> operations = {};  // of one transaction; absent: no bound
  std::int64_t initial_value = 0;                // the others count up from it

  friend bool operator==(const Scope&, const Scope&) = default;
};

// How histories are proposed.
enum class Algorithm : std::uint8_t {
  Cegis,       // every counterexample teaches something (search.h)
  NoLearning,  // a solver proposes them, and only those that failed are not proposed again
  BruteForce,  // one after another (every_history.h)
};

// What the paper's ablation of Cegis switches off.
enum class Baseline : std::uint8_t { None, NoFixedOrder, NoSmartSearch, Naive };

enum class Want : std::uint8_t {
  Smallest,  // fewest transactions, then operations, then keys, then values
  Any,       // the first found, with as many transactions as the scope has or fewer
  Exact,     // the first found with exactly as many transactions as the scope has
};

struct Options {
  std::optional<Scope> scope;  // absent: grows up to scope_default
  Want want = Want::Smallest;
  std::uint32_t count = 1;  // of smallest histories, no two the same up to renaming
  bool allows_blind_writes = true;
  bool is_so_partial_order = false;  // else sessions are chains
  bool has_events = false;           // single reads, even if no level speaks of them
  Algorithm algorithm = Algorithm::Cegis;
  Baseline baseline = Baseline::None;
  Budget budget;
};

inline constexpr Scope scope_default{5, 3, 6};

// A witness relation of an allowed level, for people.
struct ShownRelation {
  std::string name;  // "co", "vis", "vo[x]"
  bool is_order = false;
  std::vector<TxnId> order;                    // if it is a total order
  std::vector<std::pair<TxnId, TxnId>> pairs;  // else
};

struct Allowed {
  std::string level;  // its qualified name; of a person's own file: FILE:NAME
  std::vector<ShownRelation> relations;
};

// The axioms that no execution satisfies together (without any one of them, some does).
struct Forbidden {
  std::string level;
  std::vector<std::string> axioms;
  bool has_no_execution = false;  // the axioms are all the framework's own
};

struct Found {
  History history;
  std::vector<Allowed> allowed;
  std::vector<Forbidden> forbidden;
  Scope size;
  std::uint32_t operations = 0;
  // Session order, if the history's sessions do not say it (Options::is_so_partial_order).
  std::vector<std::pair<TxnId, TxnId>> so;
  // Certified: the answers of the checkers for these levels, by the names above.  Empty if
  // there is `so`: checkers read session order from sessions, so that the evaluation of
  // executions (found.h) and the search are all there is.
  check::Result levels = {};
};

struct Stats {
  std::uint64_t candidates = 0;  // histories proposed and found wanting, plus those found
  std::uint64_t clauses = 0;
  double seconds = 0;
};

enum class Outcome : std::uint8_t { Found, None, Unknown };

struct Result {
  Outcome outcome = Outcome::None;
  std::vector<check::Certified<Found>> found;
  Scope scope;              // what was searched (if Unknown: up to where)
  bool is_smallest = true;  // false if the time ran out before that was certain
  std::string reason;       // of Unknown, or of not being sure that it is the smallest
  Stats stats;
};

// Histories that every level of `allow` allows and every level of `forbid` forbids.
Result synth(std::span<const Level> allow, std::span<const Level> forbid,
             const Options& options);

}  // namespace isomer::synth
