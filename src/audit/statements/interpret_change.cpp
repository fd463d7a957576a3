// SPDX-License-Identifier: MIT
// INSERT, UPDATE and DELETE.  A change reads what its WHERE looks at and what constraints
// make it look at; it writes the records that match.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "audit/statements/interpret.h"
#include "program/machine/references.h"

namespace isomer::audit {
namespace {

using OnConflict = program::Insert::OnConflict;

bool is_permutation(const std::vector<ColumnId>& a, const std::vector<ColumnId>& b) {
  return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

void Interpreter::read_wherever(TableId table, std::vector<bool> fields, Event& event) {
  schema_.add_existence(fields);
  event.touches.push_back({.table = table,
                           .is_write = false,
                           .is_lock = false,
                           .is_insert = false,
                           .fields = std::move(fields),
                           .may = [when = state_.active](const Record&) { return when; },
                           .must = {}});
}

// Some record or other, which is not followed.
void Interpreter::write_wherever(TableId table, Event& event) {
  read_wherever(table, schema_.all_fields(table), event);
  read_wherever(table, schema_.all_fields(table), event);
  event.touches.back().is_write = true;
  event.touches.back().is_insert = true;
}

void Interpreter::write_matches(TableId id, std::vector<bool> fields,
                                const RowFilterPtr& rows, std::size_t target, Event& event,
                                bool is_lock) {
  const auto writes = [rows, target, when = state_.active](const Record& record) {
    return rows->situation().terms().both(when, rows->matches(target, record));
  };
  Touch touch{.table = id,
              .is_write = true,
              .is_lock = is_lock,
              .is_insert = false,
              .fields = std::move(fields),
              .may = writes,
              .must = {}};
  if (rows->is_exact()) touch.must = writes;
  event.touches.push_back(std::move(touch));
}

// --- constraints ---

// FOREIGN KEY: the row that is referred to is looked at, and was there.
void Interpreter::read_parents(TableId id, const std::vector<Cell>& row, Event& event) {
  for (const program::ForeignKey& key : table(id).foreign_keys) {
    std::vector<bool> fields = schema_.no_fields(key.table);
    for (const ColumnId column : key.referenced)
      schema_.add_field(fields, key.table, column);
    if (row.empty() || !is_permutation(key.referenced, table(key.table).primary_key)) {
      read_wherever(key.table, std::move(fields), event);
      continue;
    }
    schema_.add_existence(fields);
    Record parent = schema_.open_record(key.table, fresh("parent"));
    std::vector<Term> given{state_.active};
    for (std::size_t i = 0; i < key.columns.size(); ++i) {
      const auto& own = table(key.table).primary_key;
      const auto place = std::find(own.begin(), own.end(), key.referenced[i]) - own.begin();
      const Cell& cell = row[key.columns[i].index];
      Term& at = parent.key[static_cast<std::size_t>(place)];
      if (terms().sort(cell.data) == terms().sort(at)) at = cell.data;
      given.push_back(terms().negation(cell.is_null));
    }
    const Term when = terms().all(given);
    const Situation now = situation();
    fact(terms().implies(when, schema_.is_alive(parent, now.viewer)));
    know_row({.record = parent, .known = {}}, when);
    const auto reads = [this_schema = &schema_, parent, when](const Record& record) {
      return this_schema->terms().both(when, this_schema->same(parent, record));
    };
    event.touches.push_back({.table = key.table,
                             .is_write = false,
                             .is_lock = false,
                             .is_insert = false,
                             .fields = std::move(fields),
                             .may = reads,
                             .must = reads});
  }
}

void Interpreter::read_children(TableId id, Event& event) {
  const auto& tables = schema_.program().tables;
  for (std::uint32_t i = 0; i < tables.size(); ++i)
    for (const program::ForeignKey& key : tables[i].foreign_keys) {
      if (key.table != id) continue;
      std::vector<bool> fields = schema_.no_fields({i});
      for (const ColumnId column : key.columns)
        schema_.add_field(fields, {i}, column);
      read_wherever({i}, std::move(fields), event);
      std::vector<bool> own = schema_.no_fields(id);
      for (const ColumnId column : key.referenced)
        schema_.add_field(own, id, column);
      read_wherever(id, std::move(own), event);
    }
}

// UNIQUE: rows that have the same values, as far as they can be told by columns that do not
// change.  (The primary key is looked at by insert_row itself.)
void Interpreter::read_unique(TableId id, const std::vector<Cell>* row, Event& event) {
  for (const auto& columns : table(id).unique) {
    std::vector<bool> fields = schema_.no_fields(id);
    for (const ColumnId column : columns)
      schema_.add_field(fields, id, column);
    read_wherever(id, std::move(fields), event);
    if (row == nullptr || schema_.model().reads == Reads::Scanned) continue;
    const auto before = event.touches.back().may;
    const Situation at = situation();
    event.touches.back().may = [before, at, id, columns, row = *row](const Record& record) {
      std::vector<Term> parts{before(record)};
      for (const ColumnId column : columns)
        if (at.schema->is_fixed(id, column))
          parts.push_back(equal(at.terms(), at.schema->column(record, column, at.viewer),
                                row[column.index]));
      return at.terms().all(parts);
    };
  }
}

// The constraints that assignments to a row may break, and where it moves with its key.
void Interpreter::touch_for_assignments(TableId id,
                                        const std::vector<program::Assignment>& assignments,
                                        Event& event) {
  const program::Table& of = table(id);
  const auto changes_some = [&](const std::vector<ColumnId>& columns) {
    return std::any_of(assignments.begin(), assignments.end(), [&](const auto& assignment) {
      return std::find(columns.begin(), columns.end(), assignment.column) != columns.end();
    });
  };
  const bool moves = changes_some(of.primary_key);
  if (std::any_of(of.unique.begin(), of.unique.end(), changes_some) || moves)
    read_unique(id, nullptr, event);
  if (std::any_of(of.foreign_keys.begin(), of.foreign_keys.end(),
                  [&](const auto& key) { return changes_some(key.columns); }))
    read_parents(id, {}, event);
  for (const program::Table& other : schema_.program().tables)
    for (const program::ForeignKey& key : other.foreign_keys)
      if (key.table == id && changes_some(key.referenced)) read_children(id, event);
  if (moves) write_wherever(id, event);
}

// The fields of the record itself that assignments write.
std::vector<bool> Interpreter::assigned_fields(
    TableId id, const std::vector<program::Assignment>& assignments) const {
  std::vector<bool> out = schema_.no_fields(id);
  for (const program::Assignment& assignment : assignments) {
    if (schema_.is_key(id, assignment.column)) return schema_.all_fields(id);
    schema_.add_field(out, id, assignment.column);
  }
  return out;
}

// --- INSERT ---

void Interpreter::insert(const program::Insert& s, Event& event) {
  const program::Table& of = table(s.table);
  const auto value = [&](const Expression* expression, const program::Column& column) {
    if (expression == nullptr) expression = column.default_value.get();
    if (expression == nullptr) return verify::null_cell(terms(), column.type);
    return converted(schema_, situation().evaluate(*expression, nullptr), column.type);
  };
  if (s.query) look(event, *s.query, nullptr);
  std::vector<std::vector<Cell>> rows(s.query ? 1 : s.rows.size());
  for (std::size_t at = 0; at < rows.size(); ++at)
    for (std::uint32_t i = 0; i < of.columns.size(); ++i) {
      const auto named = std::find(s.columns.begin(), s.columns.end(), ColumnId{i});
      const auto place = static_cast<std::size_t>(named - s.columns.begin());
      if (named != s.columns.end() && !s.query) look_into(s.rows[at][place].get(), event);
      rows[at].push_back(named == s.columns.end() ? value(nullptr, of.columns[i])
                         : s.query ? unknown(terms(), of.columns[i].type, fresh("row"))
                                   : value(s.rows[at][place].get(), of.columns[i]));
    }
  for (const auto& row : rows)
    if (s.query) {
      write_wherever(s.table, event);
      read_parents(s.table, {}, event);
    } else {
      insert_row(s, row, event);
    }
  const bool is_certain = s.on_conflict == OnConflict::Fail && !s.query;
  const Term found =
      is_certain ? terms().truth(true) : terms().variable(fresh("found"), TermSort::Bool);
  Answer returned{.columns = {}, .found = found};
  RowTerms scope;
  if (is_certain && rows.size() == 1) {
    SeenRow row{.record = {}, .known = {}};
    for (const Cell& cell : rows[0])
      row.known.emplace_back(cell);
    scope.rows.push_back(std::move(row));
  }
  for (const auto& column : s.returning) {
    look_into(column.get(), event);
    returned.columns.push_back(scope.rows.empty()
                                   ? unknown(terms(), column->type, fresh("returned"))
                                   : situation().evaluate(*column, &scope));
  }
  if (!s.into.variables.empty()) give(s.into, returned);
  set_outcome(found);
}

// The new row has passed NOT NULL and CHECK; and if it gets in, what is never changed is
// what was inserted.
void Interpreter::know_content(const Record& record, const std::vector<Cell>& row,
                               Term inserted) {
  const program::Table& of = table(record.table);
  const Situation at = situation();
  const Viewer& viewer = at.viewer;
  const Term when = state_.active;
  RowTerms scope{.rows = {{.record = record, .known = {}}}, .around = nullptr};
  for (const Cell& cell : row)
    scope.rows[0].known.emplace_back(cell);
  for (const program::Check& check : of.checks) {
    if (has_query(*check.condition)) continue;
    const Cell truth = at.evaluate(*check.condition, &scope);
    fact(terms().implies(when, terms().either(truth.is_null, truth.data)));
  }
  for (std::uint32_t i = 0; i < of.columns.size(); ++i) {
    if (of.columns[i].is_not_null)
      fact(terms().implies(when, terms().negation(row[i].is_null)));
    if (!schema_.is_fixed(record.table, {i}) || schema_.is_key(record.table, {i})) continue;
    const Cell own = schema_.column(record, {i}, viewer);
    if (terms().sort(own.data) != terms().sort(row[i].data)) continue;
    fact(terms().implies(inserted, verify::identical(terms(), own, row[i])));
  }
}

void Interpreter::insert_row(const program::Insert& s, const std::vector<Cell>& row,
                             Event& event) {
  const Situation at = situation();
  Record record{.table = s.table, .key = {}};
  for (const ColumnId column : table(s.table).primary_key) {
    record.key.push_back(row[column.index].data);
    fact(terms().implies(state_.active, terms().negation(row[column.index].is_null)));
  }
  const Term when = state_.active;
  const auto hits = [at, record, when](const Record& other) {
    return at.terms().both(when, at.schema->same(record, other));
  };
  // With ON CONFLICT, a row that is there is read as a whole.
  const bool reads_row =
      schema_.model().reads == Reads::Scanned && s.on_conflict != OnConflict::Fail;
  std::vector<bool> looked =
      reads_row ? schema_.all_fields(s.table) : schema_.no_fields(s.table);
  schema_.add_existence(looked);
  for (const auto& update : s.updates) {
    look_into(update.value.get(), event);
    program::visit_columns(*update.value, 0, [&](const Expression& column) {
      schema_.add_field(looked, s.table, column.column);
    });
  }
  std::vector<const Expression*> conditions{s.update_where.get()};
  if (s.on_conflict == OnConflict::Update)
    for (const program::Check& check : table(s.table).checks)
      conditions.push_back(check.condition.get());
  for (const Expression* condition : conditions)
    if (condition != nullptr)
      program::visit_columns(*condition, 0, [&](const Expression& column) {
        schema_.add_field(looked, s.table, column.column);
      });
  event.touches.push_back({.table = s.table,
                           .is_write = false,
                           .is_lock = false,
                           .is_insert = false,
                           .fields = looked,
                           .may = hits,
                           .must = hits,
                           .is_alive = [at](const Record& other) {
                             return at.schema->is_alive(other, at.viewer);
                           }});
  const bool is_decided = is_decided_by_key(s);
  if (!is_decided && (reads_row || s.on_conflict == OnConflict::Update))
    read_wherever(s.table, looked, event);
  read_unique(s.table, &row, event);
  read_parents(s.table, row, event);

  const Term is_there = schema_.is_alive(record, at.viewer);
  if (s.on_conflict == OnConflict::Fail)
    fact(terms().implies(when, terms().negation(is_there)));
  Term inserted = terms().both(when, terms().negation(is_there));
  if (!is_decided)
    inserted = terms().both(inserted, terms().variable(fresh("inserted"), TermSort::Bool));
  know_content(record, row, inserted);
  out_.rows.push_back({.when = inserted,
                       .record = record,
                       .viewer = at.viewer,
                       .is_insert = true,
                       .is_change = false});
  const auto comes = [at, record, inserted](const Record& other) {
    return at.terms().both(inserted, at.schema->same(record, other));
  };
  event.touches.push_back({.table = s.table,
                           .is_write = true,
                           .is_lock = false,
                           .is_insert = true,
                           .fields = schema_.all_fields(s.table),
                           .may = comes,
                           .must = comes});
  if (s.on_conflict != OnConflict::Update) return;
  const auto changes = [at, hits, is_there](const Record& other) {
    return at.terms().both(hits(other), is_there);
  };
  Touch change{.table = s.table,
               .is_write = true,
               .is_lock = false,
               .is_insert = false,
               .fields = assigned_fields(s.table, s.updates),
               .may = changes,
               .must = {}};
  if (is_decided && !s.update_where) change.must = changes;
  if (!is_decided) change.may = [when](const Record&) { return when; };
  event.touches.push_back(std::move(change));
  touch_for_assignments(s.table, s.updates, event);
}

// Nothing but a row of its primary key, there before the statement, keeps a row out.
bool Interpreter::is_decided_by_key(const program::Insert& s) const {
  if (s.on_conflict == OnConflict::Fail) return true;
  return (table(s.table).unique.empty() ||
          is_permutation(s.conflict_columns, table(s.table).primary_key)) &&
         (s.on_conflict == OnConflict::Update || s.rows.size() == 1);
}

// --- UPDATE and DELETE ---

template <class Change>
RowFilterPtr Interpreter::look_at_targets(const Change& change, Event& event,
                                          const std::vector<const Expression*>& values) {
  const std::vector<Source> sources = program::sources_of(change);
  std::vector<std::vector<bool>> fields;
  auto inner = std::make_shared<RowTerms>();
  for (const Source& source : sources) {
    fields.push_back(schema_.no_fields(source.table));
    schema_.add_existence(fields.back());
    inner->rows.push_back({.record = {}, .known = {}, .is_open = true});
  }
  const auto mention = [&](const Expression* expression) {
    if (expression == nullptr) return;
    program::visit_columns(*expression, 0, [&](const Expression& column) {
      const std::size_t i = column.source.index;
      schema_.add_field(fields[i], sources[i].table, column.column);
    });
    look_into_parts(*expression, event, inner);
  };
  mention(change.where.get());
  for (const Source& source : sources)
    mention(source.left_join_on.get());
  for (const Expression* value : values)
    mention(value);
  for (const auto& column : change.returning)
    mention(column.get());
  for (const program::Check& check : table(change.table.table).checks)
    program::visit_columns(*check.condition, 0, [&](const Expression& column) {
      schema_.add_field(fields[change.target], change.table.table, column.column);
    });
  RowFilterPtr rows = row_filter(sources, change.where.get(), nullptr);
  add_reads(event, rows, std::move(fields));
  return rows;
}

// Where a column that refers to another table gets a value, that is compared with the old
// one; which makes no difference to anybody.
void Interpreter::read_references(const program::Update& s, Touch& read) const {
  if (schema_.model().reads != Reads::Scanned) return;
  for (const program::ForeignKey& key : table(s.table.table).foreign_keys)
    for (const program::Assignment& assignment : s.assignments)
      if (std::find(key.columns.begin(), key.columns.end(), assignment.column) !=
          key.columns.end())
        schema_.add_field(read.fields, read.table, assignment.column);
}

void Interpreter::update(const program::Update& s, Event& event) {
  const TableId id = s.table.table;
  std::vector<const Expression*> values;
  for (const auto& assignment : s.assignments)
    values.push_back(assignment.value.get());
  const RowFilterPtr rows = look_at_targets(s, event, values);
  read_references(s, event.touches[event.touches.size() - rows->source_count() + s.target]);
  write_matches(id, assigned_fields(id, s.assignments), rows, s.target, event, false);
  touch_for_assignments(id, s.assignments, event);
  const std::size_t first = out_.rows.size();
  const Answer found = found_row(s.returning, rows, &s, s.target);
  out_.rows[first + s.target].is_change = true;
  know_absence(rows, found.found);
  if (!s.into.variables.empty()) give(s.into, found);
  set_outcome(found.found);
}

void Interpreter::erase(const program::Delete& s, Event& event) {
  const TableId id = s.table.table;
  const RowFilterPtr rows = look_at_targets(s, event, {});
  read_children(id, event);
  std::vector<bool> fields = schema_.no_fields(id);
  schema_.add_existence(fields);
  write_matches(id, fields, rows, s.target, event, false);
  const std::size_t first = out_.rows.size();
  const Answer found = found_row(s.returning, rows, nullptr, 0);
  out_.rows[first + s.target].is_change = true;
  know_absence(rows, found.found);
  if (!s.into.variables.empty()) give(s.into, found);
  set_outcome(found.found);
}

}  // namespace isomer::audit
