// SPDX-License-Identifier: MIT
#include "database/sqlite/tables.h"

#include <algorithm>

#include "database/footprint.h"

namespace isomer::database::sqlite {

Tables::Tables(const program::Program& program) {
  for (std::size_t i = 0; i < program.tables.size(); ++i)
    tables_.push_back(std::make_shared<Table>());
  for (const auto& [table, row] : program.initial_rows)
    tables_[table.index]->rows.emplace(
        program::primary_key_of(program.tables[table.index], row), Value::list(row));
}

TableRows& Tables::own_rows(TableId table) {
  auto& own = tables_[table.index];
  if (own.use_count() > 1) own = std::make_shared<Table>(*own);
  own->known_as.reset();
  return own->rows;
}

std::vector<std::vector<std::vector<Value>>> Tables::sorted() const {
  std::vector<std::vector<std::vector<Value>>> out;
  for (const auto& table : tables_) {
    auto& rows = out.emplace_back();
    for (const auto& [key, row] : table->rows)
      rows.emplace_back(row.items().begin(), row.items().end());
    std::sort(rows.begin(), rows.end());
  }
  return out;
}

void Tables::add_to(Digest& digest) const {
  for (const auto& table : tables_) {
    if (!table->known_as) {
      Digest of;
      of.add(table->rows.size());
      for (const auto& [key, row] : table->rows)
        add_values(of, row.items());
      table->known_as = of.fingerprint();
    }
    digest.add(*table->known_as);
  }
}

}  // namespace isomer::database::sqlite
