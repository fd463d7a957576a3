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

// More are one access with a key that is not known.
constexpr std::size_t keys_max = 32;

bool is_constant(const Terms& terms, const Key& key) {
  return std::ranges::all_of(
      key, [&](const Cell& cell) { return terms.is_constant(cell.data); });
}

// What a key may be that is a choice between constants; empty if it is something else.
std::vector<Key> chosen_keys(Terms& terms, const Key& key) {
  std::vector<Key> out{{}};
  for (const Cell& cell : key) {
    const std::vector<Term> constants = terms.chosen_constants(cell.data);
    if (out.size() * constants.size() > keys_max) return {};
    std::vector<Key> longer;
    for (const Key& start : out)
      for (const Term constant : constants) {
        longer.push_back(start);
        longer.back().push_back({cell.type, terms.truth(false), constant, {}, cell.scale});
      }
    out = std::move(longer);
  }
  return out;
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

// Constants that may be the key, if it is not one itself.  In a table that is scanned,
// every row that anybody can find has the key of a slot.
std::vector<Key> Recorder::keys_to_tell_apart(TableId table, const Key& key) {
  if (is_constant(terms_, key)) return {};
  std::vector<Key> out = chosen_keys(terms_, key);
  if (!out.empty() || !possible_rows_.is_scanned(table)) return out;
  for (const Slot& slot : possible_rows_.slots(table))
    if (is_constant(terms_, slot.key))
      out.push_back(slot.key);
    else
      return {};
  if (out.size() > keys_max) out.clear();
  return out;
}

// Where each statement reads anew, the reads of one statement have an order, which
// distinguishing cases would change.
Row Recorder::read(TableId table, const Key& key, Term when, Span at) {
  if (repeat_ == Repeat::Anew) return read_one(table, key, when, at);
  std::vector<std::pair<Term, Row>> cases;
  Term rest = when;
  for (const Key& constant : keys_to_tell_apart(table, key)) {
    const Term is_it = same_key(terms_, key, constant);
    const Term reads = terms_.both(when, is_it);
    if (!terms_.is_false(reads))
      cases.emplace_back(is_it, read_one(table, constant, reads, at));
    rest = terms_.both(rest, terms_.negation(is_it));
  }
  Row out = terms_.is_false(rest) ? absent_row(terms_, program_.tables[table.index])
                                  : read_one(table, key, rest, at);
  for (const auto& [is_it, row] : cases)
    out = choose(terms_, is_it, row, out);
  return out;
}

// Own writes come first; only what they do not cover is read from others.
Row Recorder::read_one(TableId table, const Key& key, Term when, Span at) {
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
  if (is_new_key) {
    const Key used = possible_rows_.settle_new_key(transaction_, table, key, when);
    summary.writes.push_back({table, used, row, when, at});
    return;
  }
  // The row was found under its key, so that in a scanned table it has that of a slot.
  const std::vector<Key> constants = keys_to_tell_apart(table, key);
  if (constants.empty()) summary.writes.push_back({table, key, row, when, at});
  for (const Key& constant : constants) {
    const Term is_it = terms_.both(when, same_key(terms_, key, constant));
    if (terms_.is_false(is_it)) continue;
    Row changed = row;
    for (std::size_t i = 0; i < key.size(); ++i)
      changed.columns[program_.tables[table.index].primary_key[i].index] = constant[i];
    summary.writes.push_back({table, constant, changed, is_it, at});
  }
}

}  // namespace isomer::verify
