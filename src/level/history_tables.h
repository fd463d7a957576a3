// SPDX-License-Identifier: MIT
// What a history gives to a level text, as dense tables over transactions, keys, values and
// external reads.  A cell says whether a fact holds: a truth value for a concrete history
// (Truth), a node of a circuit where something is still open (logic::Bit).
//
// Transaction 0 is the initial one.  Things that may turn out not to exist (a read event
// that a searched history does not use, a transaction of unknown outcome) have a cell in
// txn_exists and the like; every other table is false for what does not exist, and the sets
// Txn, Key, Val, Read, the relations id and r*, and the quantifiers range over what exists.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/assert.h"
#include "base/matrix.h"
#include "level/terms.h"

namespace isomer::level {

using Truth = std::uint8_t;  // 0 or 1

template <class Cell>
struct HistoryTables {
  std::vector<Cell> txn_exists;
  std::vector<Cell> key_exists;
  std::vector<Cell> value_exists;  // empty unless values are asked for
  std::vector<Cell> read_exists;   // empty unless events are asked for

  Matrix<Cell> so;
  std::vector<std::vector<Cell>> writers;            // W[x]: by key, then transaction
  std::vector<std::vector<Cell>> readers;            // R[x]
  std::vector<Matrix<Cell>> wr;                      // wr[x]: by key
  std::vector<Matrix<Cell>> rf;                      // rf[x]: by key, transactions * reads
  Matrix<Cell> po;                                   // reads * reads
  std::vector<Matrix<Cell>> writes;                  // by key, transactions * values
  std::vector<Matrix<Cell>> reads;                   // by key, transactions * values
  std::array<std::vector<Cell>, flaw_count> flawed;  // by flaw, then transaction
  std::map<std::string, std::vector<Cell>> typed;    // by type name, then transaction

  // What there is of a sort.
  [[nodiscard]] const std::vector<Cell>& exists(Sort sort) const {
    switch (sort) {
      case Sort::Txn:
        return txn_exists;
      case Sort::Key:
        return key_exists;
      case Sort::Val:
        return value_exists;
      case Sort::Read:
        return read_exists;
    }
    ISOMER_UNREACHABLE();
  }

  [[nodiscard]] std::size_t txn_count() const { return txn_exists.size(); }

  [[nodiscard]] std::size_t key_count() const { return key_exists.size(); }
};

// The witness relations of one level on one history: by witness, then by key (a witness
// that is not keyed has one table).
template <class Cell>
using Execution = std::vector<std::vector<Matrix<Cell>>>;

}  // namespace isomer::level
