// SPDX-License-Identifier: MIT
// What symbolic execution sees of a database: rows by primary key, and the rows that a scan
// of a table must look at.  Three things are one: what a transaction sees (verify/summary.h
// records its reads), the initial state, and the final one.
#pragma once

#include <span>
#include <vector>

#include "program/ir.h"
#include "verify/symbolic/cell.h"

namespace isomer::verify {

using program::ColumnId;
using program::Program;
using program::Span;
using program::TableId;

using Key = std::vector<Cell>;  // the cells of a primary key, in its order

// A row that may exist: a scan looks at each.  `is_there` says that the slot stands for a
// row and is the only one with its key; it does not say that the row exists
// for whoever looks.
struct Slot {
  Term is_there;
  Key key;
};

class Database {
 public:
  virtual ~Database() = default;

  // The row with that key as seen now, under the condition that the access happens.  `at`
  // is the statement; accesses of one key by one statement see one version.
  virtual Row read(TableId table, const Key& key, Term when, Span at) = 0;

  // All rows of the table that may exist.
  virtual std::span<const Slot> slots(TableId table) = 0;
};

// One that can be written.
class Store : public Database {
 public:
  // A row written under a condition; absent (exists is false): deleted.  Seen by later
  // reads.  A new key (INSERT, or an UPDATE of the primary key) gets a slot.
  virtual void write(TableId table, const Key& key, const Row& row, Term when, Span at,
                     bool is_new_key) = 0;

  // A new statement begins: keys may be read again.
  virtual void begin_statement(Span at) = 0;
};

}  // namespace isomer::verify
