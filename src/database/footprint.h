// SPDX-License-Identifier: MIT
// What a step of a server touched: two steps of different sessions can be done in either
// order unless their footprints conflict.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "database/server.h"
#include "program/ir.h"

namespace isomer::database {

// --- locks ---

// Row locks, as PostgreSQL's documentation has them (table 13.3).  Where there are only
// shared and exclusive ones, these are Share and Update.
bool conflict(program::Lock held, program::Lock wanted);
// Table locks (table 13.2).
bool conflict(program::TableLock held, program::TableLock wanted);

// --- rows ---

// A row keeps its identity through updates; deleted and inserted again, it is another one.
struct RowId {
  SessionIndex session = 0;  // who inserted it; initial_session: nobody did
  std::uint32_t number = 0;
  friend auto operator<=>(const RowId&, const RowId&) = default;
};

constexpr SessionIndex initial_session = std::numeric_limits<SessionIndex>::max();

// Rows of a table with these values, whether or not they exist.
struct Region {
  program::TableId table;
  std::vector<std::pair<program::ColumnId, program::Value>> equal{};

  [[nodiscard]] bool has(const program::Value& row) const;
  friend bool operator==(const Region&, const Region&) = default;
};

// A row before and after; Null: it is not there.
struct RowChange {
  program::TableId table;
  RowId row;
  program::Value before;
  program::Value after;
};

bool overlap(const Region& read, const RowChange& change);

// --- footprints ---

// A part of an index, with the records in it and the gaps between them.
struct TouchedRange {
  enum class Access : std::uint8_t { Read, Write };

  program::TableId table;
  std::uint32_t index = 0;
  std::optional<std::vector<program::Value>> from{};  // absent: from its beginning
  bool has_from = false;                              // or all behind it
  std::optional<std::vector<program::Value>> to{};    // absent: to its end
  bool has_to = false;
  Access access = Access::Read;
};

bool overlap(const TouchedRange& a, const TouchedRange& b);

struct Footprint {
  struct TouchedRow {
    program::TableId table;
    RowId row;
    program::Lock strength;
  };

  struct TouchedKey {
    program::TableId table;
    std::uint32_t index;
    std::vector<program::Value> key;
    bool is_insert;  // two that only write a row with the key are ordered by its lock
  };

  std::vector<Region> reads{};     // by a snapshot that this step took
  std::vector<TouchedRow> rows{};  // locks that it took, asked for or gave back
  std::vector<TouchedKey> keys{};
  std::vector<RowChange> commits{};  // what it made visible
  std::vector<RowChange> written{};  // by a serializable transaction
  std::vector<Region> tracked{};     // read by a serializable transaction
  std::vector<std::pair<program::TableId, program::TableLock>> tables{};
  std::vector<std::pair<std::vector<program::Value>, bool>> advised{};  // with is_shared
  std::vector<program::TableId> appended{};  // whose heaps got longer
  std::vector<TouchedRange> ranges{};        // where locks are of parts of indexes
  bool queues = false;  // falls asleep where it matters who does so last
  bool ends = false;    // and gives back locks
  bool tries = false;   // gives up instead of waiting
  bool is_serializable = false;
};

bool conflict(const Footprint& a, const Footprint& b);

// What both of two steps touched, that are done as one.
void add_footprint(Footprint& to, Footprint other);

// --- names ---

void add_value(Digest& digest, const program::Value& value);
void add_values(Digest& digest, std::span<const program::Value> values);
void add_fault(Digest& digest, const program::Fault& fault);
void add_reply(Digest& digest, const Reply& reply);

// The same for footprints that conflict with the same footprints.
Fingerprint fingerprint(const program::Program& program, const Footprint& footprint);

}  // namespace isomer::database
