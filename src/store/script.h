// SPDX-License-Identifier: MIT
// Who reads from whom, as a history tells it, for a run that is to do the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "history/history.h"
#include "program/ir.h"
#include "program/machine/machine.h"
#include "store/store.h"

namespace isomer::store {

struct ScriptedTransaction {
  bool is_known = false;  // the script has it; else it was rolled back
  bool is_try = false;    // it was rolled back, and it is known what it had read
  bool is_cut = false;    // the script has only its first operations
  bool is_committed = false;
  std::vector<ScriptedRead> reads;
  std::set<program::KeyName> writes;
};

struct Script {
  // Every writer before its readers, sessions in order.
  std::vector<Place> order;
  std::map<Place, ScriptedTransaction> transactions;
  std::string problem;  // not empty: the history is no script for this program
};

// The session of the program for each of the history, by name; if no name is known, as in
// traces that only number them, by their order.  Or why there is none.
tl::expected<std::vector<std::uint32_t>, std::string> sessions_of(
    const program::Program& program, const history::History& history);

// A read of another transaction's write, or of the initial state.
struct KnownRead {
  history::KeyId key;
  history::TxnId writer;  // none(): nobody can tell
};

// What a transaction read from others.  A history does not say whom aborted transactions
// read from, but their values do.
std::vector<KnownRead> known_reads(const history::History& history, history::TxnId t);

// Transaction by transaction as the calls stand in their sessions.
Script make_script(const program::Program& program, const history::History& history);

// The same, where it is known which transaction is which call.
Script make_script(const history::History& history, const ScriptedCalls& calls);

}  // namespace isomer::store
