// SPDX-License-Identifier: MIT
// What is sent to PostgreSQL so that it also tells what a statement saw.
//
// At REPEATABLE READ and SERIALIZABLE one snapshot is that of all statements, and is asked
// for right before the first that looks at rows.  At READ COMMITTED each statement has its
// own, which only the statement itself can tell: it is put into a WITH, and joined to a row
// with the snapshot, which is there even if the statement has no rows.  All parts of one
// statement have one snapshot, changes in a WITH too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "program/print/print.h"
#include "record/live_run.h"
#include "server/connection.h"

namespace isomer::record {

// A text to send, and what comes before the columns of the statement's own rows.
struct AskedText {
  std::string text;
  bool has_snapshot = false;
  bool has_mark = false;         // 1; NULL if there was no row
  std::vector<TableId> locks{};  // an array each: writer, primary key
};

AskedText asked_text(const program::PrintNames& names, const program::AsksServer& what,
                     IsolationLevel level);

// Does it look at rows, and so needs a snapshot?  LOCK TABLE does not.
bool takes_snapshot(const program::AsksServer& what);

// Takes the columns that asked_text added off the rows.  False: they make no sense.
bool take_added(const program::Program& program, const AskedText& asked,
                server::StatementResult& result, LiveStatement& to, std::string& snapshot);

// --- triggers ---

// The function and the trigger that tell of each change of a row, as statements.
std::vector<std::string> trigger_definitions(const program::Program& program);

// What such a trigger said; absent if it is no notice of ours.
std::optional<RowChange> parse_change(const program::Program& program,
                                      std::string_view notice);

}  // namespace isomer::record
