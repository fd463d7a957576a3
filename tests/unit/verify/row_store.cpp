// SPDX-License-Identifier: MIT
#include "row_store.h"

namespace isomer::verify {

void RowStore::add(TableId table, Key key, Row row) {
  slots_[table].push_back({.is_there = terms_.truth(true), .key = key});
  rows_.push_back({table, std::move(key), std::move(row)});
}

Row RowStore::read(TableId table, const Key& key, Term when, Span at) {
  Row out = absent_row(terms_, program_.tables[table.index]);
  for (const HistoryTables& given : rows_)
    if (given.table == table)
      out = choose(terms_, same_key(terms_, given.key, key), given.row, out);
  Term is_external = when;
  for (const Access& write : writes) {
    if (write.table != table) continue;
    const Term is_own = terms_.both(write.when, same_key(terms_, write.key, key));
    out = choose(terms_, is_own, write.row, out);
    is_external = terms_.both(is_external, terms_.negation(is_own));
  }
  if (!terms_.is_false(is_external))
    reads.push_back({statement_, at, table, key, {}, is_external});
  return out;
}

void RowStore::write(TableId table, const Key& key, const Row& row, Term when, Span at,
                     bool is_new_key) {
  writes.push_back({statement_, at, table, key, row, when});
  if (!is_new_key) return;
  Term is_there = when;
  for (const Slot& slot : slots_[table])
    is_there = terms_.both(is_there, terms_.negation(terms_.both(
                                         slot.is_there, same_key(terms_, slot.key, key))));
  if (!terms_.is_false(is_there)) slots_[table].push_back({is_there, key});
}

}  // namespace isomer::verify
