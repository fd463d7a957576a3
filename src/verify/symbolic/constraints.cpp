// SPDX-License-Identifier: MIT
#include "verify/symbolic/constraints.h"

#include <algorithm>
#include <optional>

#include "program/machine/constraints.h"

namespace isomer::verify {
namespace {

using program::ForeignKey;

// A key to look at, and when.
struct Lookup {
  Term when;
  Key key;
};

// By position in the primary key: what the values say of it.
std::vector<std::optional<Cell>> key_parts(const Table& table,
                                           std::span<const ColumnId> columns,
                                           std::span<const Cell> values) {
  std::vector<std::optional<Cell>> out;
  for (const ColumnId column : table.primary_key) {
    const auto at = std::find(columns.begin(), columns.end(), column);
    out.push_back(
        at == columns.end()
            ? std::nullopt
            : std::optional(values[static_cast<std::size_t>(at - columns.begin())]));
  }
  return out;
}

Term agrees(Terms& terms, const Key& key, const std::vector<std::optional<Cell>>& parts) {
  Term out = terms.truth(true);
  for (std::size_t i = 0; i < key.size(); ++i)
    if (parts[i]) out = terms.both(out, terms.same(key[i].data, parts[i]->data));
  return out;
}

// The keys that a scan looks at: the slots, and what the statement newly writes unless it
// is one of them.
std::vector<Lookup> scanned_keys(StatementRun& run, TableId id) {
  Terms& terms = run.terms;
  std::vector<Lookup> out;
  for (const Slot& slot : run.database.slots(id))
    out.push_back({.when = slot.is_there, .key = slot.key});
  for (const StagedChange& change : run.staged) {
    if (change.table != id || !change.is_new_key) continue;
    Term when = change.when;
    for (const Lookup& other : out)
      when = terms.both(when, terms.negation(terms.both(
                                  other.when, same_key(terms, other.key, change.key))));
    if (!terms.is_false(when)) out.push_back({.when = when, .key = change.key});
  }
  return out;
}

std::vector<Lookup> lookups(StatementRun& run, TableId id,
                            std::span<const ColumnId> columns,
                            std::span<const Cell> values) {
  const auto parts = key_parts(run.table(id), columns, values);
  const auto is_given = [](const std::optional<Cell>& part) { return part.has_value(); };
  if (std::all_of(parts.begin(), parts.end(), is_given)) {
    Key key;
    for (const auto& part : parts) {
      key.push_back(*part);
      key.back().is_null = run.terms.truth(false);
    }
    return {{.when = run.terms.truth(true), .key = std::move(key)}};
  }
  std::vector<Lookup> out = scanned_keys(run, id);
  for (Lookup& lookup : out)
    lookup.when = run.terms.both(lookup.when, agrees(run.terms, lookup.key, parts));
  return out;
}

Term has_row_with(StatementRun& run, TableId id, std::span<const ColumnId> columns,
                  std::span<const Cell> values, Term when) {
  Term out = run.terms.truth(false);
  for (const Row& row : rows_with(run, id, columns, values, when))
    out = run.terms.either(out, row.exists);
  return out;
}

// The row is there, no column of the key is null, and it is not as in the other row.
Term is_new_reference(Terms& terms, const Row& row, const Row& other,
                      std::span<const ColumnId> columns) {
  const auto values = picked(row, columns);
  const Term is_same =
      terms.both(other.exists, all_identical(terms, picked(other, columns), values));
  return terms.all(std::vector{row.exists, terms.negation(has_null(terms, values)),
                               terms.negation(is_same)});
}

void check_outgoing(StatementRun& run, TableId id, const Row& before, const Row& after,
                    Term when) {
  Terms& terms = run.terms;
  for (const ForeignKey& key : run.table(id).foreign_keys) {
    const Term asked =
        run.now(terms.both(when, is_new_reference(terms, after, before, key.columns)));
    if (terms.is_false(asked)) continue;
    const auto values = picked(after, key.columns);
    const Term has_target = has_row_with(run, key.table, key.referenced, values, asked);
    run.fail(terms.both(asked, terms.negation(has_target)), "23503",
             program::missing_reference(run.table(id), key));
  }
}

void check_incoming(StatementRun& run, TableId id, const Row& before, const Row& after,
                    Term when) {
  Terms& terms = run.terms;
  const auto& tables = run.program.tables;
  for (std::uint32_t i = 0; i < tables.size(); ++i)
    for (const ForeignKey& key : tables[i].foreign_keys) {
      if (key.table != id) continue;
      Term asked =
          run.now(terms.both(when, is_new_reference(terms, before, after, key.referenced)));
      if (terms.is_false(asked)) continue;
      const auto values = picked(before, key.referenced);
      asked = terms.both(asked, has_row_with(run, TableId{i}, key.columns, values, asked));
      if (terms.is_false(asked)) continue;
      const Term has_target = has_row_with(run, id, key.referenced, values, asked);
      run.fail(terms.both(asked, terms.negation(has_target)), "23503",
               program::broken_reference(run.table(id), tables[i], key));
    }
}

}  // namespace

void check_row(StatementRun& run, TableId id, const Row& row,
               std::span<const ColumnId> columns, Term when) {
  Terms& terms = run.terms;
  const Table& table = run.table(id);
  const auto& key = table.primary_key;
  for (const ColumnId column : columns) {
    const bool is_key = std::find(key.begin(), key.end(), column) != key.end();
    if (is_key || table.columns[column.index].is_not_null)
      run.fail(run.now(terms.both(when, row.columns[column.index].is_null)), "23502",
               program::null_violation(table, column));
  }
  Row there = row;
  there.exists = terms.truth(true);
  const RowScope scope{.current = std::span(&there, 1), .around = nullptr, .group = {}};
  for (const program::Check& check : table.checks) {
    const Term asked = run.now(when);
    const Cell truth = evaluate(*check.condition, &scope, asked, run.evaluation);
    const Term is_false =
        terms.both(terms.negation(truth.is_null), terms.negation(truth.data));
    run.fail(run.now(terms.both(asked, is_false)), "23514",
             program::check_violation(table, check));
  }
}

std::vector<Row> rows_with(StatementRun& run, TableId id, std::span<const ColumnId> columns,
                           std::span<const Cell> values, Term when) {
  Terms& terms = run.terms;
  const Term asked = run.now(terms.both(when, terms.negation(has_null(terms, values))));
  if (terms.is_false(asked)) return {};
  std::vector<Row> out;
  for (const Lookup& lookup : lookups(run, id, columns, values)) {
    const Term reads = terms.both(asked, lookup.when);
    if (terms.is_false(reads)) continue;
    Row row = run.read(id, lookup.key, reads);
    row.exists = terms.all(std::vector{lookup.when, row.exists,
                                       terms.negation(has_null(terms, values)),
                                       all_identical(terms, picked(row, columns), values)});
    if (!terms.is_false(row.exists)) out.push_back(std::move(row));
  }
  return out;
}

void check_references(StatementRun& run, TableId id, const Row& before, const Row& after,
                      Term when) {
  check_outgoing(run, id, before, after, when);
  check_incoming(run, id, before, after, when);
}

}  // namespace isomer::verify
