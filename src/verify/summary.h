// SPDX-License-Identifier: MIT
// What one transaction does, for any values: its external reads, whose values are unknowns
// that an encoding of executions settles, and its writes as terms over them.
// (Transaction-Summary, section 3.1 of the paper.)
#pragma once

#include <vector>

#include "store/store.h"
#include "verify/possible_rows.h"
#include "verify/symbolic/symbolic.h"

namespace isomer::verify {

// A read of what others wrote.
struct ReadEvent {
  TableId table;
  Key key;
  Term when;
  Row row;
  std::uint32_t statement = 0;  // executed so many statements before
  Span at;
};

struct WriteEvent {
  TableId table;
  Key key;
  Row row;
  Term when;
  Span at;
};

struct Summary {
  store::Place place;
  std::uint32_t type = 0;  // index into Program::types
  std::vector<ReadEvent> reads;
  std::vector<WriteEvent> writes;
  Effect effect;

  // It commits and has written the key.
  Term writes_key(Terms& terms, TableId table, const Key& key) const;
  // What it wrote last under the key, if it did.
  Row written(Terms& terms, const program::Table& definition, TableId table,
              const Key& key) const;
};

// How reads are told apart.
enum class Repeat : std::uint8_t {
  Anew,  // each statement reads again, and may see another version
  Same,  // the level has every read of a key by a transaction see the same version
};

// Records what a transaction does.
//
// An access under a key that may be one of a few constants becomes an access for each,
// under the condition that it is that one.  Then executions differ on constant keys, and
// nobody has to find out which of two unknown keys are the same.
class Recorder : public Store {
 public:
  Recorder(Terms& terms, const Program& program, PossibleRows& possible_rows,
           std::uint32_t transaction, Repeat repeat);

  Row read(TableId table, const Key& key, Term when, Span at) override;

  std::span<const Slot> slots(TableId table) override {
    return possible_rows_.slots(table);
  }

  void write(TableId table, const Key& key, const Row& row, Term when, Span at,
             bool is_new_key) override;
  void begin_statement(Span at) override;

  Summary summary;

 private:
  std::vector<Key> keys_to_tell_apart(TableId table, const Key& key);
  Row read_one(TableId table, const Key& key, Term when, Span at);
  Row read_external(TableId table, const Key& key, Term when, Span at);

  Terms& terms_;
  const Program& program_;
  PossibleRows& possible_rows_;
  std::uint32_t transaction_;
  Repeat repeat_;
  std::uint32_t statement_ = 0;
};

}  // namespace isomer::verify
