// SPDX-License-Identifier: MIT
// Statements that compute, read and write, as program/machine/machine_statement.cpp has
// them. There is one state for all paths that come to a statement.  A fault takes the paths
// that meet it out of `alive`, so what follows happens on the others only.
#include "verify/symbolic/execute.h"

#include <algorithm>

#include "base/assert.h"
#include "verify/symbolic/change.h"
#include "verify/symbolic/query.h"
#include "verify/symbolic/query_order.h"

namespace isomer::verify {

using program::Type;
using program::TypeKind;

namespace {

// Where the type says nothing (a procedure returns no value), any sort will do.
Cell null_of(Terms& terms, const Type& type) {
  if (type.kind != TypeKind::Any) return null_cell(terms, type);
  return {type, terms.truth(true), terms.truth(false), {}};
}

// An integer in a place for numerics.
Cell fitted_to(Terms& terms, const Type& type, Cell cell) {
  if (type.kind == TypeKind::Record || type.kind == TypeKind::Any) return cell;
  if (terms.is_true(cell.is_null)) return null_cell(terms, type);
  if (sort_of(type) != TermSort::Real || terms.sort(cell.data) == TermSort::Real)
    return cell;
  cell.scale = scale_of(cell);
  cell.data = terms.as_real(cell.data);
  return cell;
}

Term any_in(Terms& terms, std::span<const Term> conditions) {
  return terms.any(conditions);
}

Term number_in(Terms& terms, std::span<const Term> conditions) {
  Term out = terms.integer(0);
  for (const Term condition : conditions)
    out = terms.sum(out, terms.choose(condition, terms.integer(1), terms.integer(0)));
  return out;
}

std::vector<Term> conditions_of(std::span<const ResultRow> rows) {
  std::vector<Term> out;
  for (const ResultRow& row : rows)
    out.push_back(row.is_in);
  return out;
}

void add_approximation(Terms& terms, std::vector<Approximation>& all,
                       const Approximation& one) {
  const auto is_same = [&](const Approximation& other) {
    return other.kind == one.kind && other.what == one.what &&
           other.at.first == one.at.first && other.at.last == one.at.last;
  };
  const auto known = std::find_if(all.begin(), all.end(), is_same);
  if (known == all.end())
    all.push_back(one);
  else
    known->when = terms.either(known->when, one.when);
}

}  // namespace

Expected<Effect> execute(Terms& terms, const Program& program, std::uint32_t type,
                         std::span<const Cell> arguments, Store& store,
                         const SymbolicOptions& options) {
  Executor executor{.terms = terms,
                    .program = program,
                    .type = program.types[type],
                    .store = store,
                    .options = options};
  return executor.run(arguments);
}

Expected<Effect> Executor::run(std::span<const Cell> arguments) {
  ISOMER_ASSERT(arguments.size() == type.parameter_count);
  state.alive = terms.truth(true);
  state.found = terms.truth(false);
  state.row_count = terms.integer(0);
  effect.result = null_of(terms, type.result);
  begin_variables(arguments);
  run_block(type.body);
  if (!unsupported.empty()) return tl::unexpected(std::move(unsupported));
  finish();
  return std::move(effect);
}

void Executor::settle(StatementRun& run) {
  for (Evaluation::Fault& fault : run.evaluation.faults)
    effect.aborts.push_back({.when = fault.when,
                             .is_assert = false,
                             .reason = std::move(fault.reason),
                             .at = fault.at.last != 0 ? fault.at : run.at});
  state.alive = run.now(state.alive);
  for (const Approximation& approximation : run.evaluation.approximations)
    add_approximation(terms, effect.approximations, approximation);
  auto& refused = run.evaluation.unsupported;
  unsupported.insert(unsupported.end(), refused.begin(), refused.end());
}

// --- variables ---

Cell Executor::null_variable(std::uint32_t variable) const {
  const program::Variable& of = type.variables[variable];
  Cell out = null_of(terms, of.type);
  if (of.type.kind == TypeKind::Record)
    for (const Type& field : of.field_types)
      out.fields.push_back(null_of(terms, field));
  return out;
}

void Executor::begin_variables(std::span<const Cell> arguments) {
  for (std::uint32_t i = 0; i < type.variables.size(); ++i)
    state.variables.push_back(null_variable(i));
  for (std::uint32_t i = 0; i < type.variables.size(); ++i) {
    const program::Variable& variable = type.variables[i];
    if (is_over()) return;
    if (i >= arguments.size() && !variable.initial) continue;
    with_run(variable.at, [&](StatementRun& run) {
      assign(run, i,
             i < arguments.size()
                 ? arguments[i]
                 : evaluate(*variable.initial, nullptr, state.alive, run.evaluation));
    });
  }
}

void Executor::assign(StatementRun& run, std::uint32_t variable, const Cell& cell) {
  const Type& to = type.variables[variable].type;
  if (to.kind == TypeKind::Record) {
    state.variables[variable] = cell.fields.empty() ? null_variable(variable) : cell;
    return;
  }
  if (to.kind == TypeKind::Any) return;
  state.variables[variable] = converted(cell, to, Conversion::Assignment,
                                        run.now(state.alive), run.at, run.evaluation);
}

void Executor::assign_row(StatementRun& run, const program::Targets& targets,
                          std::span<const Cell> cells) {
  for (std::size_t i = 0; i < targets.variables.size(); ++i) {
    const std::uint32_t variable = targets.variables[i].index;
    if (targets.is_record) {
      Cell record = null_variable(variable);
      const auto& types = type.variables[variable].field_types;
      for (std::size_t field = 0; field < std::min(types.size(), cells.size()); ++field)
        record.fields[field] =
            type.variables[variable].is_row_type
                ? converted(cells[field], types[field], Conversion::Assignment,
                            run.now(state.alive), run.at, run.evaluation)
                : fitted_to(terms, types[field], cells[field]);
      state.variables[variable] = std::move(record);
    } else if (i < cells.size()) {
      assign(run, variable, cells[i]);
    } else {
      state.variables[variable] = null_variable(variable);
    }
  }
}

// --- statements ---

void Executor::run_block(const Block& block) {
  for (const Statement& statement : block) {
    if (is_over()) return;
    execute(statement);
  }
}

// The cases are those of the concrete machine (program/machine/machine_statement.cpp): two
// readings of one language, each told by the compiler of a kind that it leaves out.
void Executor::execute(const Statement& statement) {
  switch (statement.kind) {
    case Statement::Kind::Assign:
      return execute_assign(statement);
    case Statement::Kind::Select:
      return execute_select(statement);
    case Statement::Kind::Insert:
    case Statement::Kind::Update:
    case Statement::Kind::Delete:
      return execute_change(statement);
    case Statement::Kind::If:
      return execute_if(statement);
    case Statement::Kind::While:
      return execute_while(statement);
    case Statement::Kind::ForRange:
      return execute_range(statement);
    case Statement::Kind::ForQuery:
      return execute_query_loop(statement);
    case Statement::Kind::ForEach:
      return execute_each(statement);
    case Statement::Kind::Exit:
    case Statement::Kind::Continue:
      return execute_jump(statement);
    case Statement::Kind::Return:
      return execute_return(statement);
    case Statement::Kind::Raise:
    case Statement::Kind::Abort:
      return execute_raise(statement);
    case Statement::Kind::Assert:
      return execute_assert(statement);
    case Statement::Kind::SetFound:
      state.found = condition(statement);
      return;
    case Statement::Kind::ReadKey:
    case Statement::Kind::WriteKey:
      unsupported.push_back(diagnostic_in(program, statement.at.first,
                                          "verify cannot do programs over bare keys"));
      return;
    case Statement::Kind::Merge:
    case Statement::Kind::Protect:
    case Statement::Kind::LockTable:
    case Statement::Kind::AdvisoryLock:
    case Statement::Kind::Savepoint:
    case Statement::Kind::RollbackTo:
    case Statement::Kind::Release:
    case Statement::Kind::SetConstraints:
      break;  // refused before: only a database level gives a meaning to them
  }
  ISOMER_UNREACHABLE();
}

void Executor::execute_assign(const Statement& statement) {
  with_run(statement.at, [&](StatementRun& run) {
    const Cell cell = evaluate(*statement.value, nullptr, state.alive, run.evaluation);
    const std::uint32_t variable = statement.variable.index;
    if (!statement.field) return assign(run, variable, cell);
    const Type& field = type.variables[variable].field_types[*statement.field];
    state.variables[variable].fields[*statement.field] = converted(
        cell, field, Conversion::Assignment, run.now(state.alive), run.at, run.evaluation);
  });
}

std::vector<ResultRow> Executor::query_rows(StatementRun& run, const Select& query) {
  auto rows = selected(run, query, nullptr, state.alive);
  lock_selected(run, query, rows, state.alive);
  return rows;
}

void Executor::execute_select(const Statement& statement) {
  const program::Targets& targets = statement.targets;
  with_run(statement.at, [&](StatementRun& run) {
    auto rows = query_rows(run, *statement.query);
    const auto is_in = conditions_of(rows);
    if (!targets.variables.empty() && !targets.is_strict)
      keep_first(run, *statement.query, rows);
    give(run, targets, rows, statement.query->columns, Surplus::Ignored);
    state.found = any_in(terms, is_in);
    state.row_count =
        number_in(terms, targets.variables.empty() ? is_in : std::vector{state.found});
    run.write_staged(store, run.now(state.alive));
  });
}

void Executor::give(StatementRun& run, const program::Targets& targets,
                    std::span<const ResultRow> rows,
                    std::span<const program::ExpressionPtr> columns, Surplus surplus) {
  if (targets.variables.empty()) return;
  Term has_row = terms.truth(false);
  Term has_two = terms.truth(false);
  std::vector<Cell> cells;
  for (const program::ExpressionPtr& column : columns)
    cells.push_back(null_of(terms, column->type));
  for (const ResultRow& row : rows) {
    has_two = terms.either(has_two, terms.both(has_row, row.is_in));
    has_row = terms.either(has_row, row.is_in);
    for (std::size_t i = 0; i < cells.size(); ++i)
      cells[i] = choose(terms, row.is_in, row.columns[i], cells[i]);
  }
  const Term alive = run.now(state.alive);
  if (targets.is_strict)
    run.fail(terms.both(alive, terms.negation(has_row)), "P0002", "query returned no rows");
  if (targets.is_strict || surplus == Surplus::Refused)
    run.fail(terms.both(alive, has_two), "P0003", "query returned more than one row");
  assign_row(run, targets, cells);
}

void Executor::execute_change(const Statement& statement) {
  with_run(statement.at, [&](StatementRun& run) {
    const auto finish_change = [&](const auto& change, const Affected& affected) {
      give(run, change.into, affected.returned, change.returning, Surplus::Refused);
      state.found = any_in(terms, affected.rows);
      state.row_count = number_in(terms, affected.rows);
    };
    if (statement.insert)
      finish_change(*statement.insert, insert(run, *statement.insert, state.alive));
    if (statement.update)
      finish_change(*statement.update, update(run, *statement.update, state.alive));
    if (statement.erase)
      finish_change(*statement.erase, erase(run, *statement.erase, state.alive));
    run.write_staged(store, run.now(state.alive));
  });
}

void Executor::finish() {
  effect.commits = terms.truth(false);
  if (type.result.kind == TypeKind::Any)
    effect.commits = state.alive;
  else if (!terms.is_false(state.alive))
    effect.aborts.push_back({.when = state.alive,
                             .is_assert = false,
                             .reason = "control reached end of function without RETURN",
                             .at = type.at});
  for (const auto& [when, cell] : returns) {
    effect.commits = terms.either(effect.commits, when);
    effect.result = effect.result.fields.size() == cell.fields.size() ||
                            type.result.kind == TypeKind::Array
                        ? choose(terms, when, cell, effect.result)
                        : cell;
  }
}

}  // namespace isomer::verify
