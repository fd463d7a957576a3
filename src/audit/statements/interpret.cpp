// SPDX-License-Identifier: MIT
#include "audit/statements/interpret.h"
#include "base/assert.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/sql/type.h"

namespace isomer::audit {

using StatementKind = Statement::Kind;

Interpreter::Interpreter(Schema& schema, std::uint32_t type, TypeRun& out)
    : schema_(schema),
      type_(schema.program().types[type]),
      out_(out),
      epochs_(schema.program().tables.size()),
      changes_(changes_of(schema.program(), type_)) {
  out_.viewer = {.transaction = out_.name, .epochs = epochs_};
  if (schema.model().reads == Reads::Noticed) unnoticed_ = unnoticed_statements(type_);
}

void Interpreter::add(Event event) {
  if (!event.touches.empty() && !unnoticed_.contains(event.statement))
    out_.events.push_back(std::move(event));
}

void Interpreter::begin_epoch(TableId table) {
  epochs_[table.index] = ++epoch_count_;
}

void Interpreter::begin_epochs(const Changes& changes) {
  for (std::uint32_t i = 0; i < changes.size(); ++i)
    if (changes[i].inserts || changes[i].deletes ||
        std::find(changes[i].updated.begin(), changes[i].updated.end(), true) !=
            changes[i].updated.end())
      begin_epoch({i});
}

std::string Interpreter::fresh(const std::string& what) {
  return fmt::format("{}.{}{}", out_.name, what, ++name_count_);
}

Situation Interpreter::situation() const {
  return {.schema = &schema_,
          .viewer = {.transaction = out_.name, .epochs = epochs_},
          .variables = state_.variables,
          .found = state_.found,
          .row_count = state_.row_count,
          .queries = queries_};
}

void Interpreter::run() {
  state_.active = terms().truth(true);
  set_outcome(terms().truth(false));
  for (const program::Variable& variable : type_.variables) {
    if (variable.is_parameter) {
      state_.variables.push_back(
          unknown_of(terms(), variable, fmt::format("{}.{}", out_.name, variable.name)));
      out_.parameters.push_back(state_.variables.back());
    } else {
      state_.variables.push_back(null_of(terms(), variable));
    }
  }
  for (std::size_t i = 0; i < type_.variables.size(); ++i)
    if (type_.variables[i].initial && !type_.variables[i].is_parameter)
      state_.variables[i] =
          converted(schema_, situation().evaluate(*type_.variables[i].initial, nullptr),
                    type_.variables[i].type);
  execute(type_.body);
}

void Interpreter::execute(const Block& block) {
  for (const Statement& statement : block) {
    if (terms().is_false(state_.active)) return;
    execute(statement);
  }
}

void Interpreter::stop() {
  state_.active = terms().truth(false);
}

void Interpreter::set_outcome(Term found) {
  state_.found = found;
  program::Type type;
  type.kind = program::TypeKind::Int8;
  state_.row_count = unknown(terms(), type, fresh("row count"));
  state_.row_count.is_null = terms().truth(false);
}

void Interpreter::execute(const Statement& s) {
  ++place_;
  queries_.clear();
  Event event{.statement = &s, .place = place_, .copy = copy_, .touches = {}};
  for (const auto& part : {s.value, s.limit, s.step, s.key})
    look_into(part.get(), event);
  if (s.kind == StatementKind::Select) select(s, event);
  if (s.kind == StatementKind::Insert) insert(*s.insert, event);
  if (s.kind == StatementKind::Update) update(*s.update, event);
  if (s.kind == StatementKind::Delete) erase(*s.erase, event);
  for (const Touch& touch : event.touches)
    if (touch.is_write && !touch.is_lock) begin_epoch(touch.table);
  add(std::move(event));
  const auto condition = [&] { return situation().holds(*s.value, nullptr); };
  switch (s.kind) {
    case StatementKind::Assign:
      return assign(s);
    case StatementKind::If:
      return branch(s);
    case StatementKind::While:
    case StatementKind::ForRange:
    case StatementKind::ForQuery:
    case StatementKind::ForEach:
      return loop(s);
    case StatementKind::Exit:
    case StatementKind::Continue:
      state_.active = s.value ? terms().both(state_.active, terms().negation(condition()))
                              : terms().truth(false);
      return;
    case StatementKind::Return:
      return stop();
    case StatementKind::Raise:
    case StatementKind::Abort:
      fact(terms().negation(state_.active));
      return stop();
    case StatementKind::Assert:
      fact(terms().implies(state_.active, condition()));
      return;
    case StatementKind::SetFound:
      state_.found = condition();
      return;
    case StatementKind::Select:
    case StatementKind::Insert:
    case StatementKind::Update:
    case StatementKind::Delete:
    case StatementKind::ReadKey:
    case StatementKind::WriteKey:
      return;
    // Refused before: only a database level gives a meaning to them.
    case StatementKind::Merge:
    case StatementKind::Protect:
    case StatementKind::LockTable:
    case StatementKind::AdvisoryLock:
    case StatementKind::Savepoint:
    case StatementKind::RollbackTo:
    case StatementKind::Release:
    case StatementKind::SetConstraints:
      ISOMER_UNREACHABLE();
  }
}

void Interpreter::assign(const Statement& s) {
  Cell& variable = state_.variables[s.variable.index];
  const Cell value = situation().evaluate(*s.value, nullptr);
  if (!s.field)
    variable = converted(schema_, value, type_.variables[s.variable.index].type);
  else if (*s.field < variable.fields.size())
    variable.fields[*s.field] =
        converted(schema_, value, type_.variables[s.variable.index].field_types[*s.field]);
}

void Interpreter::give(const program::Targets& targets, const Answer& answer) {
  const auto value = [&](const Cell& cell, const program::Type& type) {
    const Cell null = verify::null_cell(terms(), type);
    return verify::choose(terms(), answer.found, converted(schema_, cell, type), null);
  };
  if (targets.is_record) {
    const auto variable = targets.variables.front().index;
    Cell& record = state_.variables[variable];
    for (std::size_t i = 0; i < record.fields.size() && i < answer.columns.size(); ++i)
      record.fields[i] = value(answer.columns[i], type_.variables[variable].field_types[i]);
  } else {
    for (std::size_t i = 0; i < targets.variables.size(); ++i) {
      const auto variable = targets.variables[i].index;
      if (i < answer.columns.size())
        state_.variables[variable] =
            value(answer.columns[i], type_.variables[variable].type);
    }
  }
  if (targets.is_strict) fact(terms().implies(state_.active, answer.found));
}

// --- branches ---

void Interpreter::branch(const Statement& s) {
  const State before = state_;
  const Term condition = situation().holds(*s.value, nullptr);
  const std::array chosen{condition, terms().negation(condition)};
  const std::array blocks{&s.body, &s.otherwise};
  std::array<State, 2> after;
  for (std::size_t i = 0; i < 2; ++i) {
    state_ = before;
    state_.active = terms().both(before.active, chosen[i]);
    execute(*blocks[i]);
    after[i] = state_;
  }
  merge(condition, after[0], after[1], before);
}

void Interpreter::merge(Term condition, const State& then, const State& otherwise,
                        const State& before) {
  const bool then_ends = terms().is_false(then.active);
  const bool other_ends = terms().is_false(otherwise.active);
  if (then_ends || other_ends) {
    state_ = then_ends ? otherwise : then;
    return;
  }
  state_ = then;
  for (std::size_t i = 0; i < state_.variables.size(); ++i)
    state_.variables[i] =
        verify::choose(terms(), condition, then.variables[i], otherwise.variables[i]);
  state_.found = terms().choose(condition, then.found, otherwise.found);
  state_.row_count =
      verify::choose(terms(), condition, then.row_count, otherwise.row_count);
  const bool goes_on =
      then.active == terms().both(before.active, condition) &&
      otherwise.active == terms().both(before.active, terms().negation(condition));
  state_.active = goes_on ? before.active : terms().either(then.active, otherwise.active);
}

// --- loops ---

void Interpreter::forget(const std::vector<bool>& variables) {
  for (std::size_t i = 0; i < variables.size(); ++i)
    if (variables[i])
      state_.variables[i] =
          unknown_of(terms(), type_.variables[i], fresh(type_.variables[i].name));
  set_outcome(terms().variable(fresh("found"), TermSort::Bool));
}

// The condition that the round is one: that of a WHILE, the range of the variable, that the
// row is one of the query, or the element one of the array.
Term Interpreter::begin_round(const Statement& s, const State& before,
                              const RowFilterPtr& rows) {
  if (s.kind == StatementKind::While) return situation().holds(*s.value, nullptr);
  if (s.kind == StatementKind::ForQuery) {
    Event unused{};
    Answer row = s.query->group_by.empty() && rows->source_count() > 0
                     ? answer(*s.query, rows, unused)
                     : Answer{{}, terms().truth(true)};
    const Term is_row = row.found;
    row.found = terms().truth(true);
    give(s.targets, row);
    return is_row;
  }
  Situation start = situation();
  start.variables = before.variables;
  if (s.kind == StatementKind::ForEach) return is_element(s, start);
  const Cell first = start.evaluate(*s.value, nullptr);
  const Cell last = start.evaluate(*s.limit, nullptr);
  Cell& variable = state_.variables[s.variable.index];
  variable.is_null = terms().truth(false);
  const Cell& low = s.is_reverse ? last : first;
  const Cell& high = s.is_reverse ? first : last;
  if (terms().sort(low.data) != TermSort::Int || terms().sort(high.data) != TermSort::Int)
    return terms().truth(true);
  return terms().both(terms().less_equal(low.data, variable.data),
                      terms().less_equal(variable.data, high.data));
}

// The variable of a FOREACH is null, or an element of the array as `start` has it.
Term Interpreter::is_element(const Statement& s, const Situation& start) {
  const program::Type& array = s.value->type;
  const program::Type& type = type_.variables[s.variable.index].type;
  if (type.kind != array.element || program::is_restricted(type))
    return terms().truth(true);
  const Cell& variable = state_.variables[s.variable.index];
  const Cell is_one = start.any_element(program::Function::Equal,
                                        {variable, start.evaluate(*s.value, nullptr)});
  return terms().either(variable.is_null,
                        terms().both(terms().negation(is_one.is_null), is_one.data));
}

// The condition of a WHILE is looked at in each round.
void Interpreter::look_at_condition(const Statement& s) {
  Event event{.statement = &s, .place = ++place_, .copy = copy_, .touches = {}};
  look_into(s.value.get(), event);
  add(std::move(event));
}

void Interpreter::loop(const Statement& s) {
  RowFilterPtr rows;
  if (s.kind == StatementKind::ForEach)  // FOREACH of a null array fails
    fact(terms().implies(
        state_.active, terms().negation(situation().evaluate(*s.value, nullptr).is_null)));
  if (s.kind == StatementKind::ForQuery) {
    Event event{.statement = &s, .place = place_, .copy = copy_, .touches = {}};
    rows = look(event, *s.query, nullptr);
    add(std::move(event));
  }
  std::vector<bool> assigned = assigned_in(s.body, state_.variables.size());
  if (!s.variable.is_none()) assigned[s.variable.index] = true;
  for (const auto target : s.targets.variables)
    assigned[target.index] = true;
  const State before = state_;
  const std::optional<Copy> around = copy_;
  for (const Copy copy : {Copy::In, Copy::Out}) {
    if (around && *around != copy) continue;
    state_ = before;
    copy_ = copy;
    forget(assigned);
    begin_epochs(changes_);
    queries_.clear();
    if (s.kind == StatementKind::While) look_at_condition(s);
    const Term is_round = begin_round(s, before, rows);
    const Term happens = terms().variable(fresh("round"), TermSort::Bool);
    state_.active = terms().all(std::array{before.active, happens, is_round});
    execute(s.body);
  }
  copy_ = around;
  state_ = before;
  forget(assigned);
  begin_epochs(changes_);
  if (contains(s.body, StatementKind::Return))
    state_.active =
        terms().both(before.active, terms().variable(fresh("goes on"), TermSort::Bool));
}

TypeRun run_type(Schema& schema, std::uint32_t type, const std::string& name) {
  TypeRun out{.type = type,
              .name = name,
              .parameters = {},
              .events = {},
              .facts = {},
              .knowledge = {},
              .rows = {},
              .assigned = {},
              .viewer = {}};
  Interpreter(schema, type, out).run();
  return out;
}

}  // namespace isomer::audit
