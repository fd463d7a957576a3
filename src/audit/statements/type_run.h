// SPDX-License-Identifier: MIT
// One run of a transaction type, on terms: which of its statements run, and
// which records each of them reads and writes.
//
// Parameters and what is read from the database are unknowns, so the conditions found are
// exact in them: a statement runs, and touches a record, if and only if its terms are true.
// The run is one that commits: it never gets to where it would raise an exception.
//
// A loop may go on for ever, so its body is executed twice, each time as *some* iteration:
// all that the loop assigns is unknown at its start.  The two copies serve the two
// dependencies that a transaction has in a cycle, one that comes in and one that goes out;
// they may be the same iteration or different ones.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/statements/schema.h"

namespace isomer::audit {

// How a statement touches the records of one table.
struct Touch {
  TableId table;
  bool is_write = false;
  bool is_lock = false;      // FOR UPDATE: a write that changes nothing
  bool is_insert = false;    // a write after which the record is there
  std::vector<bool> fields;  // as Schema counts them
  // The record is touched only if this holds.
  std::function<Term(const Record&)> may;
  // It is touched if this holds; empty: that cannot be told.
  std::function<Term(const Record&)> must;
  // Of a read: the record is there; empty: that cannot be told.
  std::function<Term(const Record&)> is_alive = {};
};

// The copies of a loop's body.
enum class Copy : std::uint8_t { In, Out };

// A statement that runs, if it runs.
struct Event {
  const program::Statement* statement = nullptr;
  std::uint32_t place = 0;   // in the order of execution
  std::optional<Copy> copy;  // none: it is not in a loop
  std::vector<Touch> touches;
};

// What is known of any record of a table.
struct Knowledge {
  TableId table;
  std::function<Term(const Record&)> fact;
};

// A row that the transaction sees, or inserts, if the condition holds.
struct RowSeen {
  Term when;
  Record record;
  Viewer viewer;
  bool is_insert = false;
  bool is_change = false;  // an UPDATE or DELETE found it
};

// An UPDATE gives a column of a record a value.
struct ValueAssigned {
  Record record;
  ColumnId column;
  Term before;  // what is in the column as the statement sees it
  Term after;
};

struct TypeRun {
  std::uint32_t type = 0;
  std::string name;
  std::vector<Cell> parameters;
  std::vector<Event> events;
  std::vector<Term> facts;
  std::vector<Knowledge> knowledge;
  std::vector<RowSeen> rows;
  std::vector<ValueAssigned> assigned;
  Viewer viewer;  // before it changes anything
};

// Does the event of the transaction happen before the other one in every execution?
inline bool is_earlier(const Event& a, const Event& b) {
  return a.place < b.place && (!a.copy || a.copy == b.copy);
}

}  // namespace isomer::audit
