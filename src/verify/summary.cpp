// SPDX-License-Identifier: MIT
#include "verify/summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/assert.h"

namespace isomer::verify {
namespace {

bool is_same_term(const Key& a, const Key& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Cell& x, const Cell& y) {
                      return x.data == y.data && x.is_null == y.is_null;
                    });
}

Row unknown_row(Terms& terms, const program::Table& table, const Key& key,
                const std::string& name) {
  Row row{.exists = terms.variable(name + ".exists", TermSort::Bool), .columns = {}};
  for (const program::Column& column : table.columns)
    row.columns.push_back(
        unknown_cell(terms, column.type, name + "." + column.name, !column.is_not_null));
  for (std::size_t i = 0; i < key.size(); ++i)
    row.columns[table.primary_key[i].index] = key[i];
  return row;
}

}  // namespace

Term Summary::writes_key(Terms& terms, TableId table, const Key& key) const {
  Term out = terms.truth(false);
  for (const WriteEvent& write : writes)
    if (write.table == table)
      out = terms.either(out, terms.both(write.when, same_key(terms, write.key, key)));
  return terms.both(effect.commits, out);
}

Row Summary::written(Terms& terms, const program::Table& definition, TableId table,
                     const Key& key) const {
  Row out = absent_row(terms, definition);
  for (const WriteEvent& write : writes)
    if (write.table == table)
      out = choose(terms, terms.both(write.when, same_key(terms, write.key, key)),
                   write.row, out);
  return out;
}

Recorder::Recorder(Terms& terms, const Program& program, PossibleRows& possible_rows,
                   std::uint32_t transaction, Repeat repeat)
    : terms_(terms),
      program_(program),
      possible_rows_(possible_rows),
      transaction_(transaction),
      repeat_(repeat) {}

void Recorder::begin_statement(Span) {
  ++statement_;
}

// Own writes come first; only what they do not cover is read from others.
Row Recorder::read(TableId table, const Key& key, Term when, Span at) {
  Term is_own = terms_.truth(false);
  for (const WriteEvent& write : summary.writes)
    if (write.table == table)
      is_own =
          terms_.either(is_own, terms_.both(write.when, same_key(terms_, write.key, key)));
  const Term is_external = terms_.both(when, terms_.negation(is_own));
  Row out = terms_.is_false(is_external) ? absent_row(terms_, program_.tables[table.index])
                                         : read_external(table, key, is_external, at);
  for (const WriteEvent& write : summary.writes)
    if (write.table == table)
      out = choose(terms_, terms_.both(write.when, same_key(terms_, write.key, key)),
                   write.row, out);
  return out;
}

// A table that no transaction writes is what it was.
Row Recorder::read_external(TableId table, const Key& key, Term when, Span at) {
  if (!possible_rows_.is_written(table)) return possible_rows_.initial(table, key);
  for (ReadEvent& event : summary.reads)
    if (event.table == table && is_same_term(event.key, key) &&
        (repeat_ == Repeat::Same || event.statement == statement_)) {
      event.when = terms_.either(event.when, when);
      return event.row;
    }
  const program::Table& definition = program_.tables[table.index];
  Row row = unknown_row(
      terms_, definition, key,
      fmt::format("{}.t{}.r{}", definition.name, transaction_, summary.reads.size() + 1));
  summary.reads.push_back({table, key, when, row, statement_, at});
  return row;
}

void Recorder::write(TableId table, const Key& key, const Row& row, Term when, Span at,
                     bool is_new_key) {
  // Others take the rows of a table that nobody writes from the initial state.
  ISOMER_ASSERT(possible_rows_.is_written(table));
  if (terms_.is_false(when)) return;
  const Key used =
      is_new_key ? possible_rows_.settle_new_key(transaction_, table, key, when) : key;
  summary.writes.push_back({table, used, row, when, at});
}

}  // namespace isomer::verify
