// SPDX-License-Identifier: MIT
#include <array>

#include <fmt/format.h>

#include "audit/statements/interpret.h"
#include "program/machine/references.h"

namespace isomer::audit {

using Aggregator = Expression::Aggregator;

namespace {

bool is_one(const Expression& limit) {
  return limit.kind == Expression::Kind::Constant && to_text(limit.value) == "1";
}

// The column of its own table by which a query takes the first row, and where in the result
// it stands.
struct First {
  ColumnId column;
  std::size_t place = 0;
  bool is_descending = false;
};

std::optional<First> first_of(const Select& query) {
  if (!query.group_by.empty() || query.offset || query.having) return std::nullopt;
  const Expression& only = *query.columns.front();
  if (query.columns.size() == 1 && only.kind == Expression::Kind::Aggregate &&
      (only.aggregator == Aggregator::Min || only.aggregator == Aggregator::Max)) {
    const Expression& by = *only.arguments[0];
    if (by.kind != Expression::Kind::Column || by.outer != 0) return std::nullopt;
    return First{by.column, 0, only.aggregator == Aggregator::Max};
  }
  if (query.order.size() != 1 || !query.limit || !is_one(*query.limit)) return std::nullopt;
  const Expression& by = *query.order[0].by;
  if (by.kind != Expression::Kind::Column || by.outer != 0) return std::nullopt;
  for (std::size_t i = 0; i < query.columns.size(); ++i)
    if (query.columns[i]->kind == Expression::Kind::Column &&
        query.columns[i]->outer == 0 && query.columns[i]->column == by.column)
      return First{by.column, i, query.order[0].is_descending};
  return std::nullopt;
}

}  // namespace

RowFilterPtr Interpreter::row_filter(std::vector<Source> from, const Expression* where,
                                     std::shared_ptr<const RowTerms> around) {
  return std::make_shared<const RowFilter>(situation(), std::move(from), where,
                                           std::move(around), fresh("rows"));
}

// --- what is read ---

void Interpreter::add_reads(Event& event, const RowFilterPtr& rows,
                            std::vector<std::vector<bool>> fields) {
  const Term when = state_.active;
  for (std::size_t i = 0; i < rows->source_count(); ++i) {
    const auto reads = [rows, when, i](const Record& record) {
      return rows->situation().terms().both(when, rows->looks_at(i, record));
    };
    Touch touch{.table = rows->source(i).table,
                .is_write = false,
                .is_lock = false,
                .is_insert = false,
                .fields = std::move(fields[i]),
                .may = reads,
                .must = {}};
    if (rows->is_exact()) touch.must = reads;
    touch.is_alive = [rows](const Record& record) {
      const Situation& at = rows->situation();
      return at.schema->is_alive(record, at.viewer);
    };
    event.touches.push_back(std::move(touch));
  }
}

// The touches of a query, and of the queries inside it.  What those inside give is not
// followed: it may differ from row to row.
RowFilterPtr Interpreter::look(Event& event, const Select& query,
                               std::shared_ptr<const RowTerms> around) {
  std::vector<std::vector<bool>> fields;
  auto inner = std::make_shared<RowTerms>();
  inner->around = around.get();
  for (const Source& source : query.from) {
    fields.push_back(schema_.no_fields(source.table));
    schema_.add_existence(fields.back());
    inner->rows.push_back({.record = {}, .known = {}, .is_open = true});
  }
  program::visit_columns(query, 0, [&](const Expression& column) {
    const std::size_t i = column.source.index;
    schema_.add_field(fields[i], query.from[i].table, column.column);
  });
  program::visit_parts(
      query, [&](const Expression& part) { look_into_parts(part, event, inner); });
  RowFilterPtr rows = row_filter(query.from, query.where.get(), std::move(around));
  own_touch_ = event.touches.size();
  add_reads(event, rows, fields);
  for (std::size_t i = 0; i < query.from.size(); ++i)
    if (writes_back(query.from[i]))
      write_matches(query.from[i].table, fields[i], rows, i, event, true);
  return rows;
}

void Interpreter::look_into_parts(const Expression& expression, Event& event,
                                  const std::shared_ptr<const RowTerms>& around) {
  if (expression.query) look(event, *expression.query, around);
  for (const auto& argument : expression.arguments)
    look_into_parts(*argument, event, around);
}

// The queries of an expression that is evaluated once: what they give is an unknown that
// stays the same, with what is known of it.
void Interpreter::look_into(const Expression* expression, Event& event) {
  if (expression == nullptr) return;
  for (const auto& argument : expression->arguments)
    look_into(argument.get(), event);
  if (!expression->query) return;
  const std::size_t first = event.touches.size();
  const RowFilterPtr rows = look(event, *expression->query, nullptr);
  Answer found = answer(*expression->query, rows, event);
  for (std::size_t i = first; i < event.touches.size(); ++i)
    event.touches[i].must = {};
  Cell value = unknown(terms(), expression->type, fresh("query"));
  if (expression->kind == Expression::Kind::ArrayQuery) {
    value.is_null = terms().truth(false);
    know_elements(*expression->query, *expression->query->columns[0], rows, value);
  }
  if (expression->kind == Expression::Kind::Exists)
    value = {expression->type, terms().truth(false), found.found, {}};
  if (expression->kind == Expression::Kind::Scalar && !found.columns.empty())
    value = verify::choose(terms(), found.found,
                           converted(schema_, found.columns[0], expression->type),
                           verify::null_cell(terms(), expression->type));
  queries_.insert_or_assign(expression, value);
}

// --- what is found ---

Interpreter::Answer Interpreter::found_row(
    const std::vector<program::ExpressionPtr>& columns, const RowFilterPtr& rows,
    const program::Update* update, std::size_t target) {
  Answer out{.columns = {}, .found = terms().variable(fresh("found"), TermSort::Bool)};
  RowFilter::Found tuple = rows->found_tuple(fresh("found"));
  const Term when = terms().both(state_.active, out.found);
  fact(terms().implies(when, tuple.condition));
  for (const SeenRow& row : tuple.scope.rows)
    if (!row.is_open) know_row(row, when);
  if (update != nullptr) {
    const RowTerms before = tuple.scope;
    auto& known = tuple.scope.rows[target].known;
    known.resize(table(update->table.table).columns.size());
    for (const program::Assignment& assignment : update->assignments) {
      const program::Column& of =
          table(update->table.table).columns[assignment.column.index];
      if (of.is_not_null && !has_query(*assignment.value))
        fact(terms().implies(
            when,
            terms().negation(situation().evaluate(*assignment.value, &before).is_null)));
      out_.assigned.push_back(
          {.record = before.rows[target].record,
           .column = assignment.column,
           .before = schema_
                         .column(before.rows[target].record, assignment.column,
                                 situation().viewer)
                         .data,
           .after = situation().evaluate(*assignment.value, &before).data});
      known[assignment.column.index] = unknown(terms(), of.type, fresh("assigned"));
    }
  }
  const Situation at = situation();
  for (const auto& column : columns)
    out.columns.push_back(at.evaluate(*column, &tuple.scope));
  return out;
}

// A row of the database satisfies its CHECK constraints.
void Interpreter::know_row(const SeenRow& row, Term when) {
  const Situation at = situation();
  const RowTerms scope{.rows = {row}, .around = nullptr};
  for (const program::Check& check : table(row.record.table).checks) {
    if (has_query(*check.condition)) continue;
    const Cell truth = at.evaluate(*check.condition, &scope);
    fact(terms().implies(when, terms().either(truth.is_null, truth.data)));
  }
  out_.rows.push_back({.when = when,
                       .record = row.record,
                       .viewer = at.viewer,
                       .is_insert = false,
                       .is_change = false});
}

// If nothing was found, no record satisfied the WHERE.
void Interpreter::know_absence(const RowFilterPtr& rows, Term found) {
  if (!rows->is_exact()) return;
  const Term missing = terms().both(state_.active, terms().negation(found));
  out_.knowledge.push_back(
      {.table = rows->source(0).table, .fact = [rows, missing](const Record& record) {
         Terms& terms = rows->situation().terms();
         return terms.implies(missing, terms.negation(rows->matches(0, record)));
       }});
}

Interpreter::Answer Interpreter::answer(const Select& query, const RowFilterPtr& rows,
                                        Event& event) {
  const std::size_t own = own_touch_;
  bool is_aggregate = false;
  for (const auto& column : query.columns)
    is_aggregate = is_aggregate || program::has_aggregate(*column);
  Answer out;
  if (is_aggregate && query.group_by.empty() && !query.having) {
    out.found = terms().truth(true);
    for (const auto& column : query.columns) {
      out.columns.push_back(unknown(terms(), column->type, fresh("aggregate")));
      if (column->kind == Expression::Kind::Aggregate &&
          column->aggregator == Aggregator::ArrayAgg)
        know_elements(query, *column->arguments[0], rows, out.columns.back());
      if (column->kind != Expression::Kind::Aggregate ||
          column->aggregator != Aggregator::Count)
        continue;
      out.columns.back().is_null = terms().truth(false);
      fact(terms().less_equal(terms().integer(0), out.columns.back().data));
    }
  } else {
    out = found_row(query.columns, rows, nullptr, 0);
    if (!query.offset && !query.having && (!query.limit || is_one(*query.limit)))
      know_absence(rows, out.found);
  }
  know_first(query, rows, out);
  if (own < event.touches.size()) restrict_to_first(event.touches[own], query, out);
  return out;
}

// In the array are the values of the records that satisfy the WHERE; if the value is the
// whole key, it is there only if its record does.
void Interpreter::know_elements(const Select& query, const Expression& element,
                                const RowFilterPtr& rows, const Cell& array) {
  const bool is_column = element.kind == Expression::Kind::Column && element.outer == 0;
  if (!rows->is_exact() || !is_column || query.having || !query.group_by.empty()) return;
  const TableId id = query.from[0].table;
  const bool is_key = table(id).primary_key == std::vector{element.column};
  const bool is_whole = !query.limit && !query.offset;
  const Term when = state_.active;
  out_.knowledge.push_back(
      {.table = id,
       .fact = [rows, when, array, column = element.column, is_key,
                is_whole](const Record& record) {
         const Situation& at = rows->situation();
         Terms& terms = at.terms();
         const Cell own = at.schema->column(record, column, at.viewer);
         const Cell is_one = at.any_element(program::Function::Equal, {own, array});
         const Term is_in = terms.both(terms.negation(is_one.is_null), is_one.data);
         const Term is_row = rows->matches(0, record);
         Term out = terms.truth(true);
         if (is_whole)
           out = terms.implies(terms.both(is_row, terms.negation(own.is_null)), is_in);
         if (is_key) out = terms.both(out, terms.implies(is_in, is_row));
         return terms.implies(when, out);
       }});
}

// No record that satisfies the WHERE is before the first.
void Interpreter::know_first(const Select& query, const RowFilterPtr& rows,
                             const Answer& answer) {
  const std::optional<First> first = first_of(query);
  if (!first || !rows->is_exact() || !schema_.is_key(query.from[0].table, first->column))
    return;
  const Cell value = answer.columns[first->place];
  const Term found =
      terms().all(std::array{state_.active, answer.found, terms().negation(value.is_null)});
  out_.knowledge.push_back(
      {.table = query.from[0].table,
       .fact = [rows, found, value, first = *first](const Record& record) {
         Terms& terms = rows->situation().terms();
         const Cell own = rows->situation().schema->column(record, first.column,
                                                           rows->situation().viewer);
         const Term is_before = first.is_descending ? terms.less(value.data, own.data)
                                                    : terms.less(own.data, value.data);
         return terms.implies(terms.both(found, is_before),
                              terms.negation(rows->matches(0, record)));
       }});
}

// ORDER BY c LIMIT 1, min(c) and max(c), where c cannot change: only the records that are
// at or before the one found can make a difference, unless none was found.
void Interpreter::restrict_to_first(Touch& read, const Select& query,
                                    const Answer& answer) {
  if (schema_.model().reads == Reads::Scanned || query.from.size() != 1) return;
  const std::optional<First> first = first_of(query);
  if (!first || !schema_.is_key(read.table, first->column)) return;
  const Situation at = situation();
  const Cell value = answer.columns[first->place];
  const Term nothing = terms().either(terms().negation(answer.found), value.is_null);
  const auto may = read.may;
  read.may = [may, at, value, nothing, first = *first](const Record& record) {
    Terms& terms = at.terms();
    const Cell own = at.schema->column(record, first.column, at.viewer);
    const Term is_before = first.is_descending ? terms.less_equal(value.data, own.data)
                                               : terms.less_equal(own.data, value.data);
    return terms.both(may(record), terms.either(nothing, is_before));
  };
  read.must = {};
}

void Interpreter::select(const Statement& s, Event& event) {
  const RowFilterPtr rows = look(event, *s.query, nullptr);
  const Answer found = answer(*s.query, rows, event);
  if (s.query->limit || s.query->offset)
    for (Touch& touch : event.touches)
      if (touch.is_lock) touch.must = {};
  give(s.targets, found);
  set_outcome(found.found);
}

}  // namespace isomer::audit
