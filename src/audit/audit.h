// SPDX-License-Identifier: MIT
// `isomer audit`: is an SQL application serializable at its isolation levels, whatever
// transactions run, and however many?
//
// After "Automated Detection of Serializability Violations under Weak Consistency" (Nagar,
// Jagannathan, CONCUR'18): a cycle of dependencies is a formula over the parameters of its
// transactions and the keys of its records; if it has no solution there is no such cycle.
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
#include "level/level.h"
#include "program/ir.h"
#include "program/machine/machine.h"

namespace isomer::audit {

using program::Program;
using program::TableId;

// What a statement depends on.
enum class Reads : std::uint8_t {
  Relevant,  // the records that can change what it gives
  Scanned,   // every record that it looks at, as `explore` counts reads
  Noticed,   // the relevant ones, unless nobody notices what it gives
             // (audit/statements/noticed.h)
};

// How SQL becomes dependencies.
struct Model {
  program::Granularity granularity = program::Granularity::Field;  // or Row
  Reads reads = Reads::Relevant;
  bool has_counters = false;  // as Options::assume_counters, and the levels allow it
  // By table: of two transactions that insert a record of one key, one sees the other.
  std::vector<bool> inserts_conflict;
};

// The level of each transaction type.
struct Plan {
  std::string name;                     // "SI", or "the scenario's levels"
  std::vector<std::string> type_names;  // by type
  std::vector<level::Level> levels;
  std::vector<std::uint32_t> level_of;             // by type: index into `levels`
  std::vector<std::vector<std::uint32_t>> serial;  // types, serial among each other

  // PostgreSQL: what runs at SER is serializable among its like only, and at SI to others.
  std::vector<bool> is_watched;  // by type; empty: none
};

Plan uniform_plan(const Program& program, const level::Level& level);

enum class DependencyKind : std::uint8_t { WriteRead, ReadWrite, WriteWrite };

std::string_view name(DependencyKind kind);  // "wr"

// One transaction depends on another, by two statements that touch one record.
struct Dependency {
  DependencyKind kind = DependencyKind::WriteRead;
  std::uint32_t from = 0;  // index into Anomaly::transactions
  std::uint32_t to = 0;
  const program::Statement* from_statement = nullptr;
  const program::Statement* to_statement = nullptr;
  TableId table;
  std::string field;             // empty: the whole record, or its existence
  std::vector<std::string> key;  // of the record, as SQL
};

struct AnomalyTransaction {
  std::uint32_t type = 0;
  std::vector<program::Value> arguments;
};

// Rows by table, as in Program::initial_rows.
using Rows = std::vector<std::pair<TableId, std::vector<program::Value>>>;

enum class Confirmation : std::uint8_t {
  NotAsked,
  Confirmed,    // explore runs into it
  Unconfirmed,  // it did not, with what was tried
};

// Does it end otherwise than every serial order of the transactions would: in another
// state, or with another result for a caller?
enum class Harm : std::uint8_t {
  NoneFound,   // not in the runs that were tried, if any
  Found,       // a run of it was found that does
  ProvedNone,  // no execution of transactions of these types does (audit/prove.h)
};

struct Anomaly {
  std::string kind;  // "lost update"
  std::vector<AnomalyTransaction> transactions;
  std::vector<AnomalyTransaction>
      beside;                            // who else runs in the scenario, if somebody does
  std::vector<Dependency> dependencies;  // transaction i to i + 1
  Confirmation confirmation = Confirmation::NotAsked;
  std::string why_unconfirmed;
  Rows rows;  // the initial rows of the solution
  Harm harm = Harm::NoneFound;
  std::string scenario;  // confirmed: what shows it, without the line `app = ..`
  std::string level;     // confirmed, and no built-in level: the text of one that allows it
  // Confirmed: the history that explore ran into, as far as it is about isolation.
  std::optional<check::Certified<explore::Failure>> evidence;
};

enum class Verdict : std::uint8_t {
  Serializable,  // for executions of any length
  NoCycle,       // up to the bound
  Anomalies,
  Unknown,
};

struct Options {
  std::uint32_t cycle_max = 4;
  bool prove = false;
  bool confirm = true;
  bool stop_at_first = false;  // one anomaly is enough
  std::uint32_t path_max = 8;  // shortest paths: the longest that is tried
  double query_seconds = 10;   // for each question to the solver
  program::Granularity granularity = program::Granularity::Field;
  Reads reads = Reads::Relevant;
  // Records that transactions number by a counter have lower numbers than it at the start.
  bool assume_counters = false;
  Budget budget;
  std::function<void(const std::string&)> on_progress;
};

struct Result {
  Verdict verdict = Verdict::Unknown;
  std::string proof;    // Serializable: by what
  std::string unknown;  // why it is not known
  std::uint32_t cycle_max = 0;
  std::vector<Anomaly> anomalies;
  // All anomalies are proved to do no harm: by what, for executions of any length; empty:
  // up to `cycle_max` transactions.
  std::string harmless_proof;
  std::vector<std::string> assumptions;  // about the initial state, that were used
  std::uint64_t questions = 0;           // to the solver
  double seconds = 0;
  double slowest_seconds = 0;  // of one question
};

// The .sql file of the program, also if it is a scenario.
std::string application_file(const Program& program);

// What keeps the program from being audited at these levels.
Diagnostics obstacles(const Program& program);
// Why the level cannot be used; empty if it can.
std::string obstacle(const level::Level& level);

// Every type is at a level that allows serializable executions only: SER, or PostgreSQL's
// SERIALIZABLE for all of them.
bool is_serializable_by_definition(const Plan& plan);

Model model_of(const Program& program, const Plan& plan, const Options& options);

Result audit(const Program& program, const Plan& plan, const Options& options);

}  // namespace isomer::audit
