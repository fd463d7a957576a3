// SPDX-License-Identifier: MIT
// Which rows a statement read, and in which versions, from the snapshot that it had.
//
// The statement is evaluated again on the versions that its snapshot shows, by the machine
// that runs programs everywhere here, and its rows are compared with the server's.  Read
// are
//  - the rows that stand in the result, or that an aggregate or a join took in;
//  - of EXISTS, IN, LIMIT, min and max, which a server may stop to look early, the rows
//    without which the answer would be another one;
//  - a row that did not match, or was not there, if the answer would be another one with
//  its
//    next version.  Then the reader comes before whoever wrote that, and a server that is
//    serializable has to know it.  If the next version does not match either, the server
//    has no reason to look, and the reader none to come before its writer: that is no read.
//  - a row that was looked up by its whole key and was not there.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "record/versions.h"

namespace isomer::record {

// What the transaction has written itself, and not undone, before the statement.
using OwnRows = std::map<Row, Value>;

struct StatementReads {
  std::vector<std::pair<Row, Version>> reads;
  bool is_explained = true;  // the evaluation gave what the server gave
};

struct SeenBy {
  const Versions& versions;
  std::uint32_t commits = 0;  // that the snapshot shows
  const OwnRows& own;
  std::uint32_t self = 0;  // the transaction's own place among the commits; 0: none
};

StatementReads reads_of(const program::Program& program, const LiveStatement& statement,
                        IsolationLevel level, const SeenBy& seen);

}  // namespace isomer::record
