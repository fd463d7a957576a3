// SPDX-License-Identifier: MIT
// All histories of a bounded size, as circuits: what each cell of a history's tables
// depends on are the variables that a solver chooses.
//
// Two encodings.  *Abstract*: a transaction is a set of keys it writes and, for each key,
// at most one transaction it reads from.  *Event-level*, for levels that speak of single
// reads: a transaction has a sequence of reads, and may read one key twice.  Before the
// latter the search tries a third, which has more than the histories: *merged reads*.
//
// Values are not chosen where no level speaks of them: each write of a key has a value of
// its own, so a value is its writer, and a bound on values is a bound on writers.  Keys are
// interchangeable, so their columns come in falling lexicographic order.  The order of
// transactions is the caller's business (see search.h): it may say that so, or wr, only go
// from lower to higher transactions.
#pragma once

#include <span>
#include <vector>

#include "level/execution_search.h"
#include "level/history_tables.h"
#include "logic/finder.h"
#include "synth/synth.h"

namespace isomer::synth {

using level::HistoryTables;
using level::Truth;
using logic::Bit;
using logic::Circuit;
using logic::Finder;

struct OpenHistoryShape {
  Scope scope;
  bool has_events = false;
  bool has_merged_reads =
      false;  // of the events: one for each transaction (merged_reads.h)
  bool has_values = false;
  bool allows_blind_writes = true;
  bool is_so_partial_order = false;
  bool so_goes_up = true;  // from lower to higher transactions only
  bool wr_goes_up = false;
  std::vector<std::string> type_names;
};

struct OpenHistory {
  HistoryTables<Bit> tables;
  std::vector<Bit> facts;       // what makes it a history of the scope
  std::vector<Bit> operations;  // one for each operation that may be there
  std::vector<Bit> choices;     // all variables; two histories differ in one of them
};

OpenHistory make_open_history(Circuit& circuit, const OpenHistoryShape& shape);

// How many reads one transaction may have in the event-level encoding.
constexpr std::uint32_t reads_max(const Scope& scope) {
  return scope.operations.value_or(scope.keys + 1);
}

}  // namespace isomer::synth
