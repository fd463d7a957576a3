// SPDX-License-Identifier: MIT
#include "database/sqlite/statement.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "program/machine/columns.h"
#include "program/machine/references.h"

namespace isomer::database::sqlite {

using program::AsksServer;
using OnConflict = program::Insert::OnConflict;

// --- what a task needs ---

namespace {

bool has_table(const program::Select& query);

bool has_table(const program::Expression& expression) {
  return (expression.query && has_table(*expression.query)) ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [](const auto& part) { return part && has_table(*part); });
}

bool has_table(const program::Select& query) {
  bool out = !query.from.empty();
  program::visit_parts(
      query, [&](const program::Expression& part) { out = out || has_table(part); });
  return out;
}

}  // namespace

bool writes(const Task& task) {
  if (task.kind != Task::Kind::Ask || task.what.statement == nullptr) return false;
  const program::Statement& statement = *task.what.statement;
  return statement.insert || statement.update || statement.erase;
}

bool reads(const Task& task) {
  if (task.kind != Task::Kind::Ask) return false;
  if (task.what.kind == AsksServer::Kind::Value) return has_table(*task.what.expression);
  return task.what.kind == AsksServer::Kind::Statement && task.what.statement->query &&
         has_table(*task.what.statement->query);
}

// --- a statement ---

Statement::Statement(const program::Program& program, Tables& tables, const Task& task,
                     const Logged& logged)
    : program_(program),
      tables_(tables),
      task_(task),
      logged_(logged),
      execution_{.view = program::View(program, program::Granularity::Row, no_writes_,
                                       no_answers_)},
      reader_(*this) {
  execution_.reader = &reader_;
  execution_.context.variables = task.variables;
  execution_.context.found = task.found;
  execution_.context.row_count = task.row_count;
  program::connect_queries(execution_);
}

Reply Statement::run() {
  const Tables before = tables_;
  dispatch();
  if (!is_stopped()) check_foreign_keys();
  if (!fault()) return std::move(reply_);
  name_fault();
  tables_ = before;
  return {.kind = Reply::Kind::Failed, .fault = *fault()};
}

void Statement::dispatch() {
  if (task_.what.kind == AsksServer::Kind::Value) return value(*task_.what.expression);
  const program::Statement& statement = *task_.what.statement;
  if (statement.insert) return insert(*statement.insert);
  if (statement.update) return update(*statement.update);
  if (statement.erase) return erase(*statement.erase);
  if (statement.query) return query(statement);
  execution_.context.give_up("0A000", "SQLite has no locks but that of its file");
}

bool Statement::fail(const ResultCode& code, std::string reason) {
  if (!is_stopped()) fault() = fault_of(code, std::move(reason));
  return false;
}

// Where the interpreter stops for another reason, SQLite goes on: it divides by zero to
// NULL, and counts beyond the limits of an integer.
void Statement::name_fault() {
  program::Fault& of = *fault();
  if (of.number != 0) return;
  const auto at = of.at;
  if (of.sqlstate == "22001" || of.sqlstate == "23514") {
    of = fault_of(check_failed, "CHECK constraint failed");
  } else if (of.sqlstate == "23502") {
    of = fault_of(not_null_failed, "NOT NULL constraint failed");
  } else if (!of.is_limit) {
    of.reason = fmt::format("SQLite may go on where PostgreSQL says: {}", of.reason);
    of.is_limit = true;
  }
  of.at = at;
}

const program::Table& Statement::table(TableId id) const {
  return program_.tables[id.index];
}

std::vector<Value> Statement::Reader::rows(TableId table,
                                           std::span<const std::optional<Value>> pins) {
  Region region{.table = table};
  const auto& columns = statement_.table(table).primary_key;
  for (std::size_t i = 0; i < pins.size(); ++i)
    if (pins[i]) region.equal.emplace_back(columns[i], *pins[i]);
  statement_.logged_.look(std::move(region));
  const TableRows& all = tables_.rows(table);
  PrimaryKey start;
  for (std::size_t i = 0; i < pins.size() && pins[i]; ++i)
    start.push_back(*pins[i]);
  std::vector<Value> out;
  for (auto at = all.lower_bound(start); at != all.end(); ++at) {
    const PrimaryKey& key = at->first;
    if (!std::equal(start.begin(), start.end(), key.begin())) break;
    bool is_pinned = true;
    for (std::size_t i = start.size(); i < pins.size(); ++i)
      is_pinned &= !pins[i] || *pins[i] == key[i];
    if (is_pinned) out.push_back(at->second);
  }
  return out;
}

// --- queries ---

void Statement::value(const program::Expression& expression) {
  reply_.rows.push_back({program::evaluate(expression, nullptr, execution_.context)});
  reply_.count = 1;
}

void Statement::query(const program::Statement& statement) {
  const auto found = program::selected(execution_, *statement.query, nullptr);
  if (is_stopped()) return;
  reply_.rows = found->rows;
  const auto most = program::rows_taken(statement);
  if (most && reply_.rows.size() > *most) reply_.rows.resize(*most);
  reply_.count = static_cast<std::int64_t>(reply_.rows.size());
}

void Statement::append_returned(const std::vector<program::ExpressionPtr>& returning,
                                const Tuple& tuple) {
  ++reply_.count;
  if (returning.empty()) return;
  const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
  std::vector<Value> out;
  for (const auto& column : returning)
    out.push_back(program::evaluate(*column, &rows, execution_.context));
  reply_.rows.push_back(std::move(out));
}

// --- INSERT ---

void Statement::insert(const program::Insert& statement) {
  const program::NewRows fresh = program::new_rows(execution_, statement);
  if (is_stopped()) return;
  for (const Value& row : fresh.rows) {
    insert_row(statement, row);
    if (is_stopped()) return;
  }
  if (fresh.fault) fault() = fresh.fault;
}

// The constraints of ON CONFLICT come first: a conflict there is no error.
void Statement::insert_row(const program::Insert& statement, const Value& row) {
  const TableId id = statement.table;
  const program::Table& of = table(id);
  if (!check_row(id, row, program::all_columns(of))) return;
  for (const bool wants_arbiter : {true, false})
    for (const auto columns : program::unique_constraints(of)) {
      if (program::is_arbiter(statement, columns) != wants_arbiter) continue;
      const Value other = other_with(id, columns, row, {});
      if (other.is_null()) continue;
      if (!wants_arbiter) {
        fail_unique(id, columns);
      } else if (statement.on_conflict == OnConflict::Update) {
        update_in_the_way(statement, other, row);
      }
      return;
    }
  // Of one row that stands alone, SQLite looks for the parents before it writes.
  const bool is_alone = statement.rows.size() == 1 && statement.returning.empty();
  if (is_alone && !check_parents(id, row, {})) return;
  if (put(id, row)) append_returned(statement.returning, {row});
}

void Statement::update_in_the_way(const program::Insert& statement, const Value& existing,
                                  const Value& row) {
  const Tuple tuple{existing, row};
  const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
  if (statement.update_where &&
      !program::holds(*statement.update_where, &rows, execution_.context))
    return;
  const Value after =
      program::assigned(execution_, statement.table, existing, statement.updates, rows);
  if (is_stopped()) return;
  if (replace({.table = statement.table,
               .before = existing,
               .after = after,
               .columns = program::changed_columns(statement.updates)}))
    append_returned(statement.returning, {after});
}

// --- UPDATE and DELETE ---

// All new values are computed before the first row is changed.  Which partner counts if a
// row has several is SQLite's choice.
void Statement::update(const program::Update& statement) {
  const TableId id = statement.table.table;
  const auto sources = program::sources_of(statement);
  const auto tuples = program::joined(execution_, sources, statement.where.get(), nullptr);
  std::vector<Tuple> kept;
  std::map<PrimaryKey, Value> after;
  for (const Tuple& tuple : tuples) {
    const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
    const Value& before = tuple[statement.target];
    const Value changed =
        program::assigned(execution_, id, before, statement.assignments, rows);
    if (is_stopped()) return;
    const auto [known, is_new] =
        after.emplace(program::primary_key_of(table(id), before.items()), changed);
    if (is_new) {
      kept.push_back(tuple);
    } else if (known->second != changed) {
      execution_.context.give_up(
          "0A000", "of several rows that match, UPDATE takes one of SQLite's choice");
      return;
    }
  }
  const auto columns = program::changed_columns(statement.assignments);
  for (Tuple& tuple : kept) {
    Value& row = tuple[statement.target];
    const PrimaryKey key = program::primary_key_of(table(id), row.items());
    const auto now = tables_.rows(id).find(key);
    if (now == tables_.rows(id).end() || now->second != row) {
      execution_.context.give_up(
          "0A000", "a foreign key changes rows that the same statement changes");
      return;
    }
    const Value changed = after[key];
    if (!replace({.table = id, .before = row, .after = changed, .columns = columns}))
      return;
    row = changed;
    append_returned(statement.returning, tuple);
  }
}

// DELETE without WHERE empties all pages of a table at once, also if it has no row, where
// no foreign key wants to know of each.
bool Statement::empties_pages(const program::Delete& statement) const {
  const TableId id = statement.table.table;
  if (statement.where || !statement.from.empty() || !statement.returning.empty() ||
      !table(id).foreign_keys.empty())
    return false;
  return std::none_of(
      program_.tables.begin(), program_.tables.end(), [&](const program::Table& other) {
        return std::any_of(other.foreign_keys.begin(), other.foreign_keys.end(),
                           [&](const auto& key) { return key.table == id; });
      });
}

void Statement::erase(const program::Delete& statement) {
  const TableId id = statement.table.table;
  const auto sources = program::sources_of(statement);
  const auto tuples = program::joined(execution_, sources, statement.where.get(), nullptr);
  has_written_ |= empties_pages(statement);
  std::set<PrimaryKey> seen;
  for (const Tuple& tuple : tuples) {
    const Value& row = tuple[statement.target];
    const PrimaryKey key = program::primary_key_of(table(id), row.items());
    if (!seen.insert(key).second) continue;
    // An action for a row before it may have taken it along.
    if (!tables_.rows(id).contains(key)) continue;
    if (!remove(id, row)) return;
    append_returned(statement.returning, tuple);
  }
}

}  // namespace isomer::database::sqlite
