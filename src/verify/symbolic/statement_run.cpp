// SPDX-License-Identifier: MIT
#include "verify/symbolic/statement_run.h"

#include "verify/symbolic/query.h"

namespace isomer::verify {
namespace {

// A row that was read under a key has that key.
Row with_key(Terms& terms, const Table& table, const Key& key, Row row) {
  if (terms.is_false(row.exists)) return row;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const ColumnId column = table.primary_key[i];
    row.columns[column.index] = key[i];
    row.columns[column.index].type = table.columns[column.index].type;
  }
  return row;
}

}  // namespace

Key key_of_row(Terms& terms, const Table& table, const Row& row) {
  Key out = picked(row, table.primary_key);
  for (Cell& cell : out)
    cell.is_null = terms.truth(false);
  return out;
}

std::vector<Cell> picked(const Row& row, std::span<const ColumnId> columns) {
  std::vector<Cell> out;
  for (const ColumnId column : columns)
    out.push_back(row.columns[column.index]);
  return out;
}

StatementRun::StatementRun(Terms& all_terms, const Program& of,
                           const SymbolicOptions& options, Database& seen, Span place)
    : terms(all_terms),
      program(of),
      database(seen),
      at(place),
      evaluation(all_terms, of, options) {
  evaluation.query = [this](const Expression& expression, const RowScope* scope,
                            Term when) {
    return query_value(*this, expression, scope, when);
  };
}

Term StatementRun::now(Term when) {
  return terms.both(when, terms.negation(evaluation.has_fault));
}

void StatementRun::fail(Term when, std::string sqlstate, std::string reason) {
  if (!terms.is_false(when))
    evaluation.fail(when, std::move(sqlstate), std::move(reason), at);
}

Row StatementRun::read(TableId id, const Key& key, Term when) {
  Term reads = now(when);
  std::vector<std::pair<Term, const Row*>> over;
  for (const StagedChange& change : staged) {
    if (change.table != id) continue;
    const Term hit = terms.both(change.when, same_key(terms, change.key, key));
    if (terms.is_false(hit)) continue;
    reads = terms.both(reads, terms.negation(hit));
    over.emplace_back(hit, &change.row);
  }
  Row row = terms.is_false(reads)
                ? absent_row(terms, table(id))
                : with_key(terms, table(id), key, database.read(id, key, reads, at));
  for (const auto& [hit, changed] : over)
    row = choose(terms, hit, *changed, row);
  return row;
}

void StatementRun::stage(StagedChange change) {
  if (terms.is_false(change.when)) return;
  change.row = with_key(terms, table(change.table), change.key, std::move(change.row));
  staged.push_back(std::move(change));
}

Term StatementRun::is_staged(TableId id, const Key& key) {
  Term out = terms.truth(false);
  for (const StagedChange& change : staged)
    if (change.table == id)
      out = terms.either(out, terms.both(change.when, same_key(terms, change.key, key)));
  return out;
}

void StatementRun::write_staged(Store& store, Term when) {
  for (std::size_t i = 0; i < staged.size(); ++i) {
    const StagedChange& change = staged[i];
    Term writes = terms.both(when, change.when);
    for (std::size_t j = i + 1; j < staged.size(); ++j) {
      if (staged[j].table != change.table) continue;
      const Term is_again =
          terms.both(staged[j].when, same_key(terms, staged[j].key, change.key));
      writes = terms.both(writes, terms.negation(is_again));
    }
    if (!terms.is_false(writes))
      store.write(change.table, change.key, change.row, writes, at, change.is_new_key);
  }
}

}  // namespace isomer::verify
