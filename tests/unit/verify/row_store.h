// SPDX-License-Identifier: MIT
// A store of given rows, constant or unknown, that writes down what a transaction does.
#pragma once

#include <map>
#include <vector>

#include "verify/symbolic/database.h"

namespace isomer::verify {

class RowStore : public Store {
 public:
  // An access of the database; own writes are no reads.
  struct Access {
    std::uint32_t statement = 0;
    Span at;
    TableId table;
    Key key;
    Row row;  // of a write
    Term when;
  };

  RowStore(Terms& terms, const Program& program) : terms_(terms), program_(program) {}

  // Rows of a table are scanned in the order in which they are added.
  void add(TableId table, Key key, Row row);

  Row read(TableId table, const Key& key, Term when, Span at) override;

  std::span<const Slot> slots(TableId table) override { return slots_[table]; }

  void write(TableId table, const Key& key, const Row& row, Term when, Span at,
             bool is_new_key) override;

  void begin_statement(Span) override { ++statement_; }

  std::vector<Access> reads;
  std::vector<Access> writes;

 private:
  struct HistoryTables {
    TableId table;
    Key key;
    Row row;
  };

  Terms& terms_;
  const Program& program_;
  std::uint32_t statement_ = 0;
  std::vector<HistoryTables> rows_;
  std::map<TableId, std::vector<Slot>> slots_;
};

}  // namespace isomer::verify
