// SPDX-License-Identifier: MIT
// The rows of a database file: as they are committed, as a transaction sees them, or as the
// one that writes has changed them.  Copies are cheap until one of them is changed.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/fingerprint.h"
#include "program/machine/keys.h"

namespace isomer::database::sqlite {

using program::ColumnId;
using program::PrimaryKey;
using program::TableId;
using program::Value;

using TableRows = std::map<PrimaryKey, Value>;

class Tables {
 public:
  Tables() = default;
  // With the rows that the program starts with.
  explicit Tables(const program::Program& program);

  [[nodiscard]] const TableRows& rows(TableId table) const {
    return tables_[table.index]->rows;
  }

  // For a change.
  TableRows& own_rows(TableId table);

  [[nodiscard]] std::size_t size() const { return tables_.size(); }

  // By table, sorted.
  [[nodiscard]] std::vector<std::vector<std::vector<Value>>> sorted() const;
  void add_to(Digest& digest) const;

 private:
  struct Table {
    TableRows rows;
    std::optional<Fingerprint> known_as{};  // if somebody asked since the last change
  };

  std::vector<std::shared_ptr<Table>> tables_;
};

}  // namespace isomer::database::sqlite
