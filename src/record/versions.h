// SPDX-License-Identifier: MIT
// The versions of each row in a run, in the order of commits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "program/machine/keys.h"
#include "record/live_run.h"

namespace isomer::record {

using Row = std::pair<TableId, PrimaryKey>;

struct Version {
  std::uint32_t writer = 0;  // its place in the order of commits; 0: the initial state
  Value row{};               // Null: it is not there
};

// A row under its key, as a change leaves it.  A row that gets another key leaves the old
// one.
struct KeyChange {
  Row row;
  Value value{};
  bool is_new = false;  // under this key there was nothing
};

std::vector<KeyChange> key_changes(const program::Program& program,
                                   const RowChange& change);

class Versions {
 public:
  using Table = std::map<PrimaryKey, std::vector<Version>>;

  explicit Versions(const program::Program& program);

  // In the order of commits.
  void add(const Row& row, std::uint32_t writer, const Value& value);

  // It may come to be there, for somebody.
  void know(const Row& row) { tables_[row.first.index][row.second]; }

  [[nodiscard]] const Table& table(TableId id) const { return tables_[id.index]; }

  // The last one among the first so many commits, and the one behind it.
  struct Seen {
    Version version{};
    const Version* next = nullptr;
  };

  [[nodiscard]] Seen seen(const Row& row, std::uint32_t commits) const;
  [[nodiscard]] static Seen seen(const std::vector<Version>& of, std::uint32_t commits);
  // What a writer left there.
  [[nodiscard]] const Version* written_by(const Row& row, std::uint32_t writer) const;

 private:
  std::vector<Table> tables_;
};

}  // namespace isomer::record
