// SPDX-License-Identifier: MIT
// What one transaction does, given the replies to its requests so far: which request is
// next, what it holds, what it has written.  It knows neither who else there is nor when
// anything happens; positions.h decides that.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/positions/application.h"

namespace isomer::positions {

constexpr int nobody = -1;  // the initial rows

// The n-th row that a transaction wrote or made.
struct Mark {
  int transaction = nobody;
  int number = 0;
  friend auto operator<=>(const Mark&, const Mark&) = default;
};

// Deleted and inserted again, it is another row.
struct RowName {
  Table table = Table::T;
  Mark made;
  friend auto operator<=>(const RowName&, const RowName&) = default;
};

struct Version {
  Mark written;
  // The last write under the lock Update: what FOR KEY SHARE takes for a change.
  Mark key_written;
  Values values;
  friend bool operator==(const Version&, const Version&) = default;
};

using Rows = std::map<RowName, Version>;  // committed

// The writes in the order of the heap, of those transactions that matter.
using Heap = std::vector<Mark>;

// --- locks ---

enum class Mode : std::uint8_t {
  KeyShare,
  Share,
  NoKeyUpdate,
  Update,
  InsertsKey,
  WritesKey,  // changes or deletes a row that has the key
  SharedAdvice,
  Advice,
};

bool conflict(Mode a, Mode b);

// A row, a key of an index of a table, or the number of an advisory lock.
struct Resource {
  enum class Kind : std::uint8_t { Row, Key, Advice };

  Kind kind = Kind::Row;
  RowName row{};
  int index = 0;
  int number = 0;
  friend auto operator<=>(const Resource&, const Resource&) = default;
};

using Held = std::set<std::pair<Resource, Mode>>;

// --- requests ---

struct Request {
  enum class Kind : std::uint8_t {
    Snapshot,
    Lock,    // a row that was found, or something else
    Insert,  // a place in the heap for a new row
    Write,   // the same for the new version of a row, at the moment of its lock
    Key,     // enters an index
    Commit,
    GiveUp,
    Fail,
  };

  Kind kind = Kind::Commit;
  std::vector<std::pair<Resource, Mode>> wanted{};  // Lock, Key: one
  std::optional<Version> found{};  // Lock: of a row that others wrote; none: own
  RowName row{};                   // Key: that is to have it
  Patience patience = Patience::Waits;
  Mark mark{};                // Insert, Write
  std::string sqlstate{};     // Fail
  bool can_be_later = false;  // Fail: than what was done last
};

struct Reply {
  enum class Kind : std::uint8_t { Granted, Gone, Skipped, Failed };

  Kind kind = Kind::Granted;
  int gap = 0;                       // Snapshot
  std::optional<Version> version{};  // Lock: the newest one that is committed
  std::string sqlstate{};            // Failed
};

// What a statement looked at, for SERIALIZABLE: rows with a key, or a whole table.
using Looked = std::set<std::pair<Table, std::optional<int>>>;

struct State {
  Request next;
  std::map<RowName, std::optional<Version>> own;  // nothing: deleted
  Held held;
  std::vector<std::string> told;
  Looked looked;
};

struct World {
  const Application& application;
  const std::vector<Rows>& committed;  // by gap
  const Heap& heap;
};

State state_after(const World& world, const Transaction& transaction, int number,
                  const std::vector<Reply>& replies);

// Is the key there, of a row that is not this one?
bool has_key(const Rows& rows, Table table, int index, int key);

// The committed rows with what a transaction wrote.
Rows with_writes(Rows rows, const std::map<RowName, std::optional<Version>>& own);

}  // namespace isomer::positions
