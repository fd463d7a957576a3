// SPDX-License-Identifier: MIT
// Statements that compute, read and write.
#include <algorithm>

#include <fmt/format.h>

#include "program/machine/machine_state.h"

namespace isomer::program {

// The symbolic execution of verify has the same cases (verify/symbolic/execute.cpp).
void Machine::State::execute(const Statement& statement) {
  at = statement.at;
  switch (statement.kind) {
    case Statement::Kind::Assign:
      return execute_assign(statement);
    case Statement::Kind::ReadKey:
      return execute_read(statement);
    case Statement::Kind::WriteKey:
      return execute_write(statement);
    case Statement::Kind::Select:
      return execute_select(statement);
    case Statement::Kind::Insert:
    case Statement::Kind::Update:
    case Statement::Kind::Delete:
    case Statement::Kind::Merge:
      return execute_change(statement);
    case Statement::Kind::If:
      return execute_if(statement);
    case Statement::Kind::While:
      return execute_while(statement);
    case Statement::Kind::ForRange:
      return begin_range(statement);
    case Statement::Kind::ForQuery:
      return begin_query(statement);
    case Statement::Kind::ForEach:
      return begin_each(statement);
    case Statement::Kind::Exit:
    case Statement::Kind::Continue:
      return execute_jump(statement);
    case Statement::Kind::Return:
      return execute_return(statement);
    case Statement::Kind::Raise:
      return execute_raise(statement);
    case Statement::Kind::Abort:
      return abort("", "the transaction aborts itself");
    case Statement::Kind::Assert:
      return execute_assert(statement);
    case Statement::Kind::SetFound:
      return execute_set_found(statement);
    case Statement::Kind::Protect:
      return execute_protect(statement);
    case Statement::Kind::LockTable:
    case Statement::Kind::AdvisoryLock:
    case Statement::Kind::SetConstraints:
      return execute_lock(statement);
    case Statement::Kind::Savepoint:
    case Statement::Kind::RollbackTo:
    case Statement::Kind::Release:
      return execute_savepoint(statement);
  }
  ISOMER_UNREACHABLE();
}

void Machine::State::execute_assign(const Statement& statement) {
  const auto value = value_of(*statement.value);
  if (!value) return;
  if (statement.field) {
    const auto item = field_value(statement.variable, *statement.field, *value);
    if (!item) return;
    assign_field(statement, *item);
  } else if (!assign(statement.variable, *value)) {
    return;
  }
  finish_statement();
}

void Machine::State::execute_set_found(const Statement& statement) {
  const auto value = condition(*statement.value);
  if (!value) return;
  found = *value;
  finish_statement();
}

void Machine::State::assign_field(const Statement& statement, Value value) {
  Value& record = variables[statement.variable.index];
  std::vector<Value> items(record.items().begin(), record.items().end());
  items.resize(
      std::max<std::size_t>({items.size(), *statement.field + std::size_t{1},
                             type->variables[statement.variable.index].fields.size()}));
  items[*statement.field] = std::move(value);
  record = Value::list(std::move(items));
}

std::optional<KeyName> Machine::State::key_of(const Statement& statement) {
  const auto key = value_of(*statement.key);
  if (!key) return std::nullopt;
  if (const auto* text = key->get_if<std::string>()) return *text;
  abort("", fmt::format("a key must be a string, but is {}",
                        key->is_null() ? "null" : to_text(*key)));
  return std::nullopt;
}

void Machine::State::execute_read(const Statement& statement) {
  const auto key = key_of(statement);
  if (!key) return;
  Value value;
  const bool is_known = completes([&](StatementExecution& execution) {
    value = execution.view.value(*key, execution.context);
  });
  if (!is_known) return;
  variables[statement.variable.index] = std::move(value);
  finish_statement();
}

void Machine::State::execute_write(const Statement& statement) {
  const auto key = key_of(statement);
  if (!key) return;
  const auto value = value_of(*statement.value);
  if (!value) return;
  write({{*key, *value}});
  finish_statement();
}

void Machine::State::write(std::vector<std::pair<KeyName, Value>> changes) {
  for (const auto& [key, value] : changes)
    own.insert_or_assign(key, value);
  writes = std::move(changes);
  writes_next = 0;
}

std::optional<std::vector<std::vector<Value>>> Machine::State::query_rows(
    const Statement& statement) {
  if (is_on_server) {
    auto answer = answer_of(statement);
    return answer ? std::optional(std::move(answer->rows)) : std::nullopt;
  }
  const Select& query = *statement.query;
  std::shared_ptr<const Selected> rows;
  std::vector<std::pair<KeyName, Value>> changes;
  const bool is_known = completes([&](StatementExecution& execution) {
    need_columns(execution.view, query);
    rows = selected(execution, query, nullptr);
    if (execution.context.is_stopped()) return;
    lock_selected(execution, query, *rows);
    changes = execution.view.writes(execution.context);
  });
  if (!is_known) return std::nullopt;
  write(std::move(changes));
  return rows->rows;
}

void Machine::State::execute_select(const Statement& statement) {
  const auto rows = query_rows(statement);
  if (!rows || !give(statement.targets, *rows, Surplus::Ignored)) return;
  found = !rows->empty();
  const bool takes_one = !statement.targets.variables.empty();
  row_count = static_cast<std::int64_t>(takes_one ? found : rows->size());
  finish_statement();
}

bool Machine::State::give(const Targets& targets,
                          const std::vector<std::vector<Value>>& rows, Surplus surplus) {
  if (targets.variables.empty()) return true;
  if (rows.empty() && targets.is_strict) {
    abort("P0002", "query returned no rows");
    return false;
  }
  if (rows.size() > 1 && (targets.is_strict || surplus == Surplus::Refused)) {
    abort("P0003", "query returned more than one row");
    return false;
  }
  return assign_row(targets, rows.empty() ? nullptr : &rows[0]);
}

void Machine::State::execute_change(const Statement& statement) {
  Affected affected;
  const Targets nothing;  // MERGE returns no rows
  const Targets* into = statement.insert   ? &statement.insert->into
                        : statement.update ? &statement.update->into
                        : statement.erase  ? &statement.erase->into
                                           : &nothing;
  std::vector<std::pair<KeyName, Value>> changes;
  if (is_on_server) {
    auto answer = answer_of(statement);
    if (!answer || !give(*into, answer->rows, Surplus::Refused)) return;
    found = answer->count > 0;
    row_count = answer->count;
    return finish_statement();
  }
  if (statement.merge)
    return abort("0A000", "only a database level gives a meaning to MERGE");
  const auto run = [&](StatementExecution& execution, const auto& change, auto act) {
    need_columns(execution.view, change);
    affected = act(execution, change);
  };
  const bool is_known = completes([&](StatementExecution& execution) {
    if (statement.insert) run(execution, *statement.insert, insert);
    if (statement.update) run(execution, *statement.update, update);
    if (statement.erase) run(execution, *statement.erase, erase);
    if (!execution.context.is_stopped()) changes = execution.view.writes(execution.context);
  });
  if (!is_known || !give(*into, affected.returned, Surplus::Refused)) return;
  found = affected.count > 0;
  row_count = static_cast<std::int64_t>(affected.count);
  write(std::move(changes));
  finish_statement();
}

}  // namespace isomer::program
