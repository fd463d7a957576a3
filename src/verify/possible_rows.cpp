// SPDX-License-Identifier: MIT
#include "verify/possible_rows.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/assert.h"

namespace isomer::verify {
namespace {

using program::TypeKind;

bool is_constant(const Terms& terms, const Key& key) {
  return std::all_of(key.begin(), key.end(), [&](const Cell& cell) {
    return terms.is_false(cell.is_null) && terms.is_constant(cell.data);
  });
}

std::vector<Term> data_of(const Key& key) {
  std::vector<Term> out;
  for (const Cell& cell : key)
    out.push_back(cell.data);
  return out;
}

Term power_of_ten(Terms& terms, unsigned exponent, TermSort sort) {
  return terms.number(fmt::format("1{:0<{}}", "", exponent), sort);
}

}  // namespace

Key key_of(const program::Table& table, const Row& row) {
  Key key;
  for (const ColumnId column : table.primary_key)
    key.push_back(row.columns[column.index]);
  return key;
}

PossibleRows::PossibleRows(Terms& terms, const Program& program, bool is_open,
                           std::uint32_t rows_max, const SymbolicOptions& options,
                           const TableAccesses& accesses, NewKeys known)
    : terms_(terms),
      program_(program),
      is_open_(is_open),
      rows_max_(rows_max),
      options_(options),
      accesses_(accesses),
      known_(std::move(known)),
      tables_(program.tables.size()) {
  add_given_rows();
  for (std::uint32_t i = 0; i < tables_.size(); ++i)
    if (is_open_ && is_scanned({i})) add_open_rows({i});
  for (std::uint32_t i = 0; i < tables_.size(); ++i)
    if (is_scanned({i})) add_slots({i});
  for (TableState& state : tables_)
    for (const InitialRow& row : std::vector<InitialRow>(state.open))
      constrain(row);
}

void PossibleRows::add_given_rows() {
  for (const auto& [id, values] : program_.initial_rows) {
    Row row = constant_row(terms_, table(id), values);
    Key key = key_of(table(id), row);
    tables_[id.index].given.push_back({id, std::move(key), std::move(row)});
  }
}

// Rows in the order of their keys, without gaps: the same state in one way only.
void PossibleRows::add_open_rows(TableId id) {
  const program::Table& of = table(id);
  TableState& state = tables_[id.index];
  for (std::uint32_t i = 0; i < rows_max_; ++i) {
    const std::string name = fmt::format("{}.{}", of.name, i + 1);
    Row row{.exists = terms_.variable(name + ".exists", TermSort::Bool), .columns = {}};
    for (std::uint32_t c = 0; c < of.columns.size(); ++c) {
      const bool is_key = std::ranges::count(of.primary_key, ColumnId{c}) > 0;
      row.columns.push_back(unknown(of.columns[c].type,
                                    fmt::format("{}.{}", name, of.columns[c].name),
                                    !is_key && !of.columns[c].is_not_null, row.exists));
    }
    Key key = key_of(of, row);
    for (const InitialRow& given : state.given)
      facts_.push_back(
          terms_.implies(row.exists, terms_.negation(same_key(terms_, given.key, key))));
    if (!state.open.empty()) {
      facts_.push_back(terms_.implies(row.exists, state.open.back().row.exists));
      facts_.push_back(
          terms_.implies(row.exists, key_before(terms_, state.open.back().key, key)));
    }
    state.open.push_back({id, std::move(key), std::move(row)});
    open_rows_.push_back(state.open.back());
  }
}

// Constant keys first, by value, so that a scan of concrete rows reads them in the order of
// the concrete machine.
void PossibleRows::add_slots(TableId id) {
  TableState& state = tables_[id.index];
  std::vector<Key> constants;
  const auto add_constant = [&](const Key& key) {
    const bool is_known =
        std::any_of(constants.begin(), constants.end(),
                    [&](const Key& k) { return terms_.is_true(same_key(terms_, k, key)); });
    if (!is_known) constants.push_back(key);
  };
  for (const InitialRow& row : state.given)
    add_constant(row.key);
  for (const auto& [where, keys] : known_)
    if (where.second == id)
      for (const auto& constant : keys)
        if (constant) {
          Key key;
          for (std::size_t i = 0; i < constant->size(); ++i)
            key.push_back({table(id).columns[table(id).primary_key[i].index].type,
                           terms_.truth(false),
                           (*constant)[i],
                           {}});
          add_constant(key);
        }
  std::sort(constants.begin(), constants.end(), [&](const Key& a, const Key& b) {
    return terms_.is_true(key_before(terms_, a, b));
  });
  for (Key& key : constants)
    state.slots.push_back({terms_.truth(true), std::move(key)});
  for (const InitialRow& row : state.open)
    add_slot(state, row.row.exists, row.key);
  for (const auto& [where, keys] : known_)
    if (where.second == id)
      for (std::size_t i = 0; i < keys.size(); ++i)
        add_new_key(where.first, id, i, keys[i]);
}

void PossibleRows::add_new_key(std::uint32_t transaction, TableId id, std::size_t index,
                               const std::optional<std::vector<Term>>& constant) {
  NewKey& out = new_keys_[{transaction, id}].emplace_back();
  if (constant) return;
  const program::Table& of = table(id);
  const std::string name = fmt::format("{}.t{}.{}", of.name, transaction, index + 1);
  out.is_active = terms_.variable(name, TermSort::Bool);
  for (const ColumnId column : of.primary_key)
    out.slot.key.push_back(unknown_cell(terms_, of.columns[column.index].type,
                                        name + "." + of.columns[column.index].name, false));
  add_slot(tables_[id.index], out.is_active, out.slot.key);
}

// Of several slots with one key the first counts.
void PossibleRows::add_slot(TableState& state, Term is_active, Key key) {
  Term is_there = is_active;
  for (const Slot& earlier : state.slots)
    is_there = terms_.both(
        is_there,
        terms_.negation(terms_.both(earlier.is_there, same_key(terms_, earlier.key, key))));
  state.slots.push_back({is_there, std::move(key)});
}

std::span<const Slot> PossibleRows::slots(TableId id) {
  // Whoever scans a table without slots proves what is false.
  ISOMER_ASSERT(is_scanned(id));
  return tables_[id.index].slots;
}

Key PossibleRows::settle_new_key(std::uint32_t transaction, TableId id, const Key& key,
                                 Term when) {
  auto& found = found_[{transaction, id}];
  const std::size_t index = found.size();
  auto& slots = new_keys_[{transaction, id}];
  const bool was_open = index < slots.size() && !slots[index].slot.key.empty();
  // Once open, always open: the passes must come to an end.
  if (is_constant(terms_, key) && !was_open)
    found.emplace_back(data_of(key));
  else
    found.emplace_back(std::nullopt);
  if (!was_open) return key;
  NewKey& slot = slots[index];
  slot.is_settled = true;
  facts_.push_back(terms_.iff(slot.is_active, when));
  facts_.push_back(terms_.implies(when, same_key(terms_, slot.slot.key, key)));
  return slot.slot.key;
}

void PossibleRows::close() {
  for (auto& [where, slots] : new_keys_)
    for (NewKey& slot : slots)
      if (!slot.slot.key.empty() && !slot.is_settled)
        facts_.push_back(terms_.negation(slot.is_active));
}

Row PossibleRows::initial(TableId id, const Key& key) {
  TableState& state = tables_[id.index];
  Row out = is_open_ && !is_scanned(id) ? row_by_function(id, key)
                                        : absent_row(terms_, table(id));
  for (const auto* rows : {&state.open, &state.given})
    for (const InitialRow& row : *rows)
      // The key of a row that does not exist is any, and may be that of one that does.
      out = choose(terms_, terms_.both(row.row.exists, same_key(terms_, row.key, key)),
                   row.row, out);
  return out;
}

// Only of keys that are not null: what the data of a null is does not matter, so it may
// not decide what is remembered.
Row PossibleRows::row_by_function(TableId id, const Key& key) {
  Key known = key;
  Term is_key = terms_.truth(true);
  for (Cell& cell : known)
    is_key = terms_.both(is_key,
                         terms_.negation(std::exchange(cell.is_null, terms_.truth(false))));
  Row out = row_looked_up(id, known);
  out.exists = terms_.both(out.exists, is_key);
  return out;
}

Row PossibleRows::row_looked_up(TableId id, const Key& key) {
  TableState& state = tables_[id.index];
  // A copy of a given row is not an open one.
  const auto [place, is_new] = state.looked_at.try_emplace(data_of(key));
  if (!is_new) return place->second;
  const program::Table& of = table(id);
  std::vector<TermSort> sorts;
  for (const Cell& cell : key)
    sorts.push_back(sort_of(cell.type));
  auto [existence, is_first] = existence_.try_emplace(id.index);
  if (is_first)
    existence->second = terms_.function(of.name + ".exists", sorts, TermSort::Bool);
  Term exists = terms_.apply(existence->second, data_of(key));
  for (const InitialRow& given : state.given)
    exists = terms_.both(exists, terms_.negation(same_key(terms_, given.key, key)));
  Row row{.exists = exists, .columns = {}};
  for (std::uint32_t c = 0; c < of.columns.size(); ++c)
    row.columns.push_back(cell_by_function(id, c, key));
  for (std::size_t i = 0; i < key.size(); ++i)
    row.columns[of.primary_key[i].index] = key[i];
  for (const Cell& cell : row.columns)
    fit(cell, exists);
  place->second = row;
  const InitialRow out{id, key, row};
  open_rows_.push_back(out);
  constrain(out);
  return row;
}

Cell PossibleRows::cell_by_function(TableId id, std::uint32_t column, const Key& key) {
  const program::Column& of = table(id).columns[column];
  std::vector<TermSort> sorts;
  for (const Cell& cell : key)
    sorts.push_back(sort_of(cell.type));
  const bool is_scaled = of.type.kind == TypeKind::Numeric && of.type.precision;
  const TermSort sort = is_scaled ? TermSort::Int : sort_of(of.type);
  auto [entry, is_new] = functions_.try_emplace({id.index, column});
  if (is_new) {
    const std::string name = fmt::format("{}.{}", table(id).name, of.name);
    entry->second = {terms_.function(name + ".null", sorts, TermSort::Bool),
                     terms_.function(name, sorts, sort)};
  }
  Cell out{
      of.type, terms_.truth(false), terms_.apply(entry->second.second, data_of(key)), {}};
  if (!of.is_not_null) out.is_null = terms_.apply(entry->second.first, data_of(key));
  if (is_scaled)
    out.data = terms_.quotient(terms_.as_real(out.data),
                               power_of_ten(terms_, of.type.scale, TermSort::Real));
  return out;
}

Cell PossibleRows::unknown(const program::Type& type, const std::string& name,
                           bool may_be_null, Term when) {
  Cell out = unknown_cell(terms_, type, name, may_be_null);
  fit(out, when);
  return out;
}

// Values that a column of the type can hold.
void PossibleRows::fit(const Cell& cell, Term when) {
  const Term fits = is_in_range(terms_, cell);
  if (terms_.is_true(fits)) return;
  inputs_.push_back(cell.data);
  facts_.push_back(terms_.implies(when, fits));
}

// --- constraints that the initial state satisfies ---

void PossibleRows::constrain(const InitialRow& row) {
  const auto valid = row_is_valid(terms_, program_, row.table, row.row, options_);
  if (!valid) {
    diagnostics_.insert(diagnostics_.end(), valid.error().begin(), valid.error().end());
    return;
  }
  facts_.push_back(terms_.implies(row.row.exists, *valid));
  constrain_unique(row);
  constrain_references(row);
}

void PossibleRows::constrain_unique(const InitialRow& row) {
  for (const auto& columns : table(row.table).unique) {
    const auto collides = [&](const InitialRow& other) {
      Term equal = terms_.both(row.row.exists, other.row.exists);
      for (const ColumnId column : columns) {
        const Cell& a = row.row.columns[column.index];
        const Cell& b = other.row.columns[column.index];
        equal = terms_.both(equal, same_key(terms_, {&a, 1}, {&b, 1}));
      }
      return terms_.both(equal, terms_.negation(same_key(terms_, row.key, other.key)));
    };
    for (const InitialRow& other : tables_[row.table.index].given)
      facts_.push_back(terms_.negation(collides(other)));
    for (const InitialRow& other : open_rows_)
      if (other.table == row.table && data_of(other.key) != data_of(row.key))
        facts_.push_back(terms_.negation(collides(other)));
  }
}

// A row that is referred to may refer to another one of its table, and so on: after some
// steps nothing is said any more, which only allows more.
void PossibleRows::constrain_references(const InitialRow& row) {
  constexpr unsigned depth_max = 4;
  if (reference_depth_ == depth_max) return;
  ++reference_depth_;
  for (const program::ForeignKey& reference : table(row.table).foreign_keys) {
    std::vector<Cell> values;
    Term is_null = terms_.truth(false);
    for (const ColumnId column : reference.columns) {
      values.push_back(row.row.columns[column.index]);
      is_null = terms_.either(is_null, values.back().is_null);
    }
    const Term has_row = has_row_with(reference.table, reference.referenced, values);
    facts_.push_back(terms_.implies(row.row.exists, terms_.either(is_null, has_row)));
  }
  --reference_depth_;
}

// Whether the initial state has a row with these values.
Term PossibleRows::has_row_with(TableId id, std::span<const ColumnId> columns,
                                std::span<const Cell> values) {
  const auto is_one = [&](const Row& row) {
    Term equal = row.exists;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Cell& cell = row.columns[columns[i].index];
      equal = terms_.both(equal, same_key(terms_, {&cell, 1}, {&values[i], 1}));
    }
    return equal;
  };
  if (covers_key(table(id), columns)) {
    Key key;
    for (const ColumnId column : table(id).primary_key)
      key.push_back(values[static_cast<std::size_t>(
          std::find(columns.begin(), columns.end(), column) - columns.begin())]);
    return is_one(initial(id, key));
  }
  ISOMER_ASSERT(is_scanned(id));
  Term out = terms_.truth(false);
  for (const auto* rows : {&tables_[id.index].open, &tables_[id.index].given})
    for (const InitialRow& row : *rows)
      out = terms_.either(out, is_one(row.row));
  return out;
}

std::vector<TableId> PossibleRows::bounded() const {
  std::vector<TableId> out;
  for (std::uint32_t i = 0; i < tables_.size(); ++i)
    if (!tables_[i].open.empty()) out.push_back({i});
  return out;
}

}  // namespace isomer::verify
