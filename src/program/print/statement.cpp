// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "program/machine/references.h"
#include "program/machine/statement_execution.h"
#include "program/print/mariadb_text.h"
#include "program/print/print.h"
#include "program/print/scope.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

struct Printer {
  const PrintNames& names;
  std::string out;

  void line(std::size_t indent, const std::string& text) {
    out += std::string(indent, ' ') + text + "\n";
  }

  [[nodiscard]] std::string text(const ExpressionPtr& e) const {
    return e ? to_text(names, *e) : std::string("?");
  }

  [[nodiscard]] std::string into(const Targets& targets) const {
    if (targets.variables.empty() || names.bindings != nullptr) return {};
    std::vector<std::string> list;
    for (const VariableId id : targets.variables)
      list.push_back(variable_text(names, id, {}));
    return fmt::format(" INTO {}{}", targets.is_strict ? "STRICT " : "",
                       fmt::join(list, ", "));
  }

  [[nodiscard]] const Table& table(TableId id) const {
    return names.program.tables[id.index];
  }

  [[nodiscard]] std::string column_list(TableId id,
                                        const std::vector<ColumnId>& columns) const {
    std::vector<std::string> list;
    for (const ColumnId column : columns)
      list.push_back(name_text(names, table(id).columns[column.index].name));
    return fmt::format("{}", fmt::join(list, ", "));
  }

  [[nodiscard]] std::string assignments(const PrintScope& scope, TableId id,
                                        const std::vector<Assignment>& list) const {
    std::vector<std::string> parts;
    for (const Assignment& assignment : list)
      parts.push_back(fmt::format(
          "{} = {}", name_text(names, table(id).columns[assignment.column.index].name),
          to_text(scope, *assignment.value)));
    return fmt::format("{}", fmt::join(parts, ", "));
  }

  [[nodiscard]] std::string returning(const PrintScope& scope,
                                      const std::vector<ExpressionPtr>& columns,
                                      const Targets& targets) const {
    if (columns.empty()) return {};
    return " RETURNING " + list_text(scope, columns) + into(targets);
  }

  template <class Change>
  [[nodiscard]] std::string changed_name(const Change& change) const {
    const std::string& name = table(change.table.table).name;
    const bool is_plain =
        change.table.alias == name || (change.from.empty() && names.bindings == nullptr);
    return is_plain
               ? name_text(names, name)
               : fmt::format("{}{}{}", name_text(names, name), is_sqlite() ? " AS " : " ",
                             name_text(names, change.table.alias));
  }

  [[nodiscard]] bool is_sqlite() const { return names.dialect == Dialect::Sqlite; }

  // SQLite knows the changed table by its own name there.
  [[nodiscard]] std::vector<Source> returned_sources(std::vector<Source> sources,
                                                     std::uint32_t target) const {
    if (is_sqlite()) sources[target].alias = table(sources[target].table).name;
    return sources;
  }

  [[nodiscard]] std::string insert_text(const Insert& insert) const;
  [[nodiscard]] std::string update_text(const Update& update) const;
  [[nodiscard]] std::string delete_text(const Delete& erase) const;
  [[nodiscard]] std::string when_text(const Merge& merge, const Merge::When& when,
                                      const PrintScope& scope) const;
  [[nodiscard]] std::string merge_text(const Merge& merge) const;

  void block(const Block& statements, std::size_t indent) {
    for (const Statement& s : statements)
      statement(s, indent);
  }

  void loop(const Statement& s, std::size_t indent, const std::string& head) {
    line(indent,
         s.label.empty() ? head : fmt::format("<<{}>> {}", shown_name(s.label), head));
    block(s.body, indent + 2);
    line(indent, "END LOOP");
  }

  void if_statement(const Statement& s, std::size_t indent, std::string_view word) {
    line(indent, fmt::format("{} {} THEN", word, text(s.value)));
    block(s.body, indent + 2);
    const bool is_chain =
        s.otherwise.size() == 1 && s.otherwise[0].kind == Statement::Kind::If;
    if (is_chain) return if_statement(s.otherwise[0], indent, "ELSIF");
    if (!s.otherwise.empty()) {
      line(indent, "ELSE");
      block(s.otherwise, indent + 2);
    }
    line(indent, "END IF");
  }

  [[nodiscard]] std::string leave_text(const Statement& s) const {
    std::string out_text = s.kind == Statement::Kind::Exit ? "EXIT" : "CONTINUE";
    if (!s.label.empty()) out_text += " " + shown_name(s.label);
    if (s.value) out_text += " WHEN " + text(s.value);
    return out_text;
  }

  [[nodiscard]] std::string range_text(const Statement& s) const {
    return fmt::format("FOR {} IN {}{} .. {}{} LOOP", variable_text(names, s.variable, {}),
                       s.is_reverse ? "REVERSE " : "", text(s.value), text(s.limit),
                       s.step ? " BY " + text(s.step) : "");
  }

  [[nodiscard]] std::string raise_text(const Statement& s) const {
    if (s.raises_again) return "RAISE";
    return fmt::format("RAISE {}{}",
                       s.value ? text(s.value) : to_literal(Value::text(s.text)),
                       s.sqlstate.empty() ? "" : fmt::format(" ({})", s.sqlstate));
  }

  void exception_block(const Statement& s, std::size_t indent) {
    line(indent, "BEGIN");
    block(s.body, indent + 2);
    line(indent, "EXCEPTION");
    for (const Handler& handler : s.handlers) {
      std::vector<std::string> names_of;
      for (const std::string& sqlstate : handler.sqlstates)
        names_of.push_back(fmt::format("SQLSTATE '{}'", sqlstate));
      line(indent,
           fmt::format("WHEN {} THEN",
                       names_of.empty() ? "OTHERS"
                                        : fmt::format("{}", fmt::join(names_of, " OR "))));
      block(handler.body, indent + 2);
    }
    line(indent, "END");
  }

  [[nodiscard]] std::string lock_table_text(const Statement& s) const {
    static constexpr std::array modes = {
        "ACCESS SHARE", "ROW SHARE",           "ROW EXCLUSIVE", "SHARE UPDATE EXCLUSIVE",
        "SHARE",        "SHARE ROW EXCLUSIVE", "EXCLUSIVE",     "ACCESS EXCLUSIVE"};
    std::vector<std::string> tables;
    for (const TableId id : s.tables)
      tables.push_back(name_text(names, table(id).name));
    return fmt::format("LOCK TABLE {} IN {} MODE{}", fmt::join(tables, ", "),
                       modes[static_cast<std::size_t>(s.table_lock)],
                       s.lock_wait == LockWait::NoWait ? " NOWAIT" : "");
  }

  [[nodiscard]] std::string set_constraints_text(const Statement& s) const {
    std::vector<std::string> named;
    for (const ConstraintId& id : s.constraints)
      named.push_back(name_text(names, constraint_name(names.program, id)));
    return fmt::format("SET CONSTRAINTS {} {}",
                       named.empty() ? "ALL" : fmt::format("{}", fmt::join(named, ", ")),
                       s.is_deferred ? "DEFERRED" : "IMMEDIATE");
  }

  // Names of columns stand alone there.
  [[nodiscard]] std::string conflict_target(const Insert& insert) const {
    const std::vector<Source> row = {
        {.table = insert.table, .alias = {}, .left_join_on = nullptr}};
    const PrintScope scope{.names = names, .sources = &row, .outer = nullptr};
    std::vector<std::string> parts;
    if (!insert.conflict_columns.empty())
      parts.push_back(column_list(insert.table, insert.conflict_columns));
    for (const ExpressionPtr& e : insert.conflict_expressions)
      parts.push_back("(" + to_text(scope, *e) + ")");
    const std::string where =
        insert.conflict_where ? " WHERE " + to_text(scope, *insert.conflict_where) : "";
    return fmt::format(" ({}){}", fmt::join(parts, ", "), where);
  }

  [[nodiscard]] std::string advisory_text(const Statement& s) const {
    using Act = AdvisoryLock::Act;
    const AdvisoryLock& lock = *s.advisory;
    std::string name = lock.act == Act::TryLock ? "pg_try_advisory" : "pg_advisory";
    if (!lock.is_of_session) name += "_xact";
    name += lock.act == Act::Unlock      ? "_unlock"
            : lock.act == Act::UnlockAll ? "_unlock_all"
                                         : "_lock";
    if (lock.is_shared) name += "_shared";
    std::vector<std::string> key;
    for (const ExpressionPtr& part : lock.key)
      key.push_back(text(part));
    return fmt::format("SELECT {}({}){}", name, fmt::join(key, ", "), into(s.targets));
  }

  void statement(const Statement& s, std::size_t indent);
};

// Has a new value a query in it?  SQLite computes all new values before it changes the
// first row only if there is a FROM.
bool asks(const Expression& e) {
  return e.query != nullptr ||
         std::any_of(e.arguments.begin(), e.arguments.end(),
                     [](const ExpressionPtr& part) { return part && asks(*part); });
}

bool asks(const std::vector<Assignment>& assignments) {
  return std::any_of(assignments.begin(), assignments.end(),
                     [](const Assignment& assignment) { return asks(*assignment.value); });
}

// SQLite takes ON CONFLICT behind a FROM for the condition of a join.
Select conditional(const Select& query) {
  Select out = query;
  if (out.where) return out;
  Expression truth;
  truth.type = type(TypeKind::Bool);
  truth.value = Value::boolean(true);
  out.where = std::make_shared<const Expression>(std::move(truth));
  return out;
}

std::string Printer::insert_text(const Insert& insert) const {
  const std::vector<Source> target = {
      {.table = insert.table, .alias = table(insert.table).name, .left_join_on = nullptr},
      {.table = insert.table, .alias = "excluded", .left_join_on = nullptr}};
  const std::vector<Source> alone = {target[0]};
  const PrintScope nothing{.names = names};
  const PrintScope on_conflict{.names = names, .sources = &target, .outer = nullptr};
  const PrintScope row{.names = names, .sources = &alone, .outer = nullptr};
  std::string text_out = with_text(nothing, insert.with);
  text_out += fmt::format("INSERT INTO {} ({})", name_text(names, table(insert.table).name),
                          column_list(insert.table, insert.columns));
  std::vector<std::string> rows;
  for (const auto& values : insert.rows)
    rows.push_back(fmt::format("({})", list_text(nothing, values)));
  if (insert.query && is_sqlite())
    text_out += fmt::format(" {}", to_text(nothing.within(), conditional(*insert.query)));
  else if (insert.query)
    text_out += fmt::format(" {}", to_text(nothing.within(), *insert.query));
  else
    text_out += fmt::format(" VALUES {}", fmt::join(rows, ", "));
  if (insert.on_conflict != Insert::OnConflict::Fail) {
    text_out += " ON CONFLICT";
    if (has_conflict_target(insert)) text_out += conflict_target(insert);
    text_out +=
        insert.on_conflict == Insert::OnConflict::Nothing
            ? " DO NOTHING"
            : " DO UPDATE SET " + assignments(on_conflict, insert.table, insert.updates);
    if (insert.update_where)
      text_out += " WHERE " + to_text(on_conflict, *insert.update_where);
  }
  return text_out + returning(row, insert.returning, insert.into);
}

std::string Printer::update_text(const Update& update) const {
  const std::vector<Source> sources = sources_of(update);
  const PrintScope scope{.names = names, .sources = &sources, .outer = nullptr};
  std::string text_out = with_text({.names = names}, update.with);
  text_out += fmt::format("UPDATE {} SET {}", changed_name(update),
                          assignments(scope, update.table.table, update.assignments));
  if (!update.from.empty())
    text_out += " FROM " + source_names(scope, update.from);
  else if (is_sqlite() && asks(update.assignments))
    text_out += " FROM (SELECT 1)";
  if (update.where) text_out += " WHERE " + to_text(scope, *update.where);
  const std::vector<Source> returned = returned_sources(sources, update.target);
  const PrintScope row{.names = names, .sources = &returned, .outer = nullptr};
  return text_out + returning(row, update.returning, update.into);
}

std::string Printer::delete_text(const Delete& erase) const {
  const std::vector<Source> sources = sources_of(erase);
  const PrintScope scope{.names = names, .sources = &sources, .outer = nullptr};
  std::string text_out =
      with_text({.names = names}, erase.with) + "DELETE FROM " + changed_name(erase);
  const std::string where = erase.where ? " WHERE " + to_text(scope, *erase.where) : "";
  if (erase.from.empty())
    text_out += where;
  else if (is_sqlite())
    text_out += fmt::format(" WHERE EXISTS (SELECT 1 FROM {}{})",
                            source_names(scope, erase.from), where);
  else
    text_out += fmt::format(" USING {}{}", source_names(scope, erase.from), where);
  const std::vector<Source> returned = returned_sources(sources, erase.target);
  const PrintScope row{.names = names, .sources = &returned, .outer = nullptr};
  return text_out + returning(row, erase.returning, erase.into);
}

std::string Printer::when_text(const Merge& merge, const Merge::When& when,
                               const PrintScope& scope) const {
  using Act = Merge::When::Act;
  std::string text_out = when.is_matched ? " WHEN MATCHED" : " WHEN NOT MATCHED";
  if (when.condition) text_out += " AND " + to_text(scope, *when.condition);
  text_out += " THEN ";
  switch (when.act) {
    case Act::Nothing:
      return text_out + "DO NOTHING";
    case Act::Update:
      return text_out + "UPDATE SET " +
             assignments(scope, merge.table.table, when.assignments);
    case Act::Delete:
      return text_out + "DELETE";
    case Act::Insert:
      break;
  }
  if (when.values.empty()) return text_out + "INSERT DEFAULT VALUES";
  return text_out + fmt::format("INSERT ({}) VALUES ({})",
                                column_list(merge.table.table, when.columns),
                                list_text(scope, when.values));
}

std::string Printer::merge_text(const Merge& merge) const {
  const std::vector<Source> sources = sources_of(merge);
  const PrintScope scope{.names = names, .sources = &sources, .outer = nullptr};
  std::string text_out = with_text({.names = names}, merge.with);
  text_out += fmt::format("MERGE INTO {} USING {} ON {}", changed_name(merge),
                          source_names(scope, merge.from), to_text(scope, *merge.where));
  for (const Merge::When& when : merge.whens)
    text_out += when_text(merge, when, scope);
  return text_out;
}

void Printer::statement(const Statement& s, std::size_t indent) {
  using Kind = Statement::Kind;
  switch (s.kind) {
    case Kind::Assign:
      return line(indent, fmt::format("{} := {}", variable_text(names, s.variable, s.field),
                                      text(s.value)));
    case Kind::ReadKey:
      return line(indent, fmt::format("{} := read({})",
                                      variable_text(names, s.variable, {}), text(s.key)));
    case Kind::WriteKey:
      return line(indent, fmt::format("write({}, {})", text(s.key), text(s.value)));
    case Kind::Select:
      return line(indent, to_text(names, *s.query) + into(s.targets));
    case Kind::Insert:
      return line(indent, insert_text(*s.insert));
    case Kind::Update:
      return line(indent, update_text(*s.update));
    case Kind::Delete:
      return line(indent, delete_text(*s.erase));
    case Kind::Merge:
      return line(indent, merge_text(*s.merge));
    case Kind::If:
      return if_statement(s, indent, "IF");
    case Kind::While:
      return loop(s, indent, fmt::format("WHILE {} LOOP", text(s.value)));
    case Kind::ForRange:
      return loop(s, indent, range_text(s));
    case Kind::ForQuery:
      return loop(s, indent,
                  fmt::format("FOR{} IN {} LOOP", into(s.targets).substr(5),
                              to_text(names, *s.query)));
    case Kind::ForEach:
      return loop(
          s, indent,
          fmt::format("FOREACH {} IN {}{} LOOP", variable_text(names, s.variable, {}),
                      s.value->type.kind == TypeKind::Array ? "ARRAY " : "",
                      text(s.value)));
    case Kind::Exit:
    case Kind::Continue:
      return line(indent, leave_text(s));
    case Kind::Return:
      return line(indent, s.value ? "RETURN " + text(s.value) : "RETURN");
    case Kind::Raise:
      return line(indent, raise_text(s));
    case Kind::Abort:
      return line(indent, "ABORT");
    case Kind::Assert:
      return line(indent, fmt::format("ASSERT {}", text(s.value)));
    case Kind::SetFound:
      return line(indent, fmt::format("FOUND := {}", text(s.value)));
    case Kind::Protect:
      return exception_block(s, indent);
    case Kind::LockTable:
      return line(indent, lock_table_text(s));
    case Kind::AdvisoryLock:
      return line(indent, advisory_text(s));
    case Kind::Savepoint:
      return line(indent, "SAVEPOINT " + shown_name(s.label));
    case Kind::RollbackTo:
      return line(indent, "ROLLBACK TO SAVEPOINT " + shown_name(s.label));
    case Kind::Release:
      return line(indent, "RELEASE SAVEPOINT " + shown_name(s.label));
    case Kind::SetConstraints:
      return line(indent, set_constraints_text(s));
  }
}

}  // namespace

std::string to_text(const PrintNames& names, const Block& block, std::size_t indent) {
  Printer printer{.names = names, .out = {}};
  printer.block(block, indent);
  return printer.out;
}

std::string change_text(const PrintNames& names, const Statement& statement) {
  Printer printer{.names = names, .out = {}};
  printer.statement(statement, 0);
  printer.out.pop_back();
  return std::move(printer.out);
}

// SELECT .. INTO takes the rows that it needs and no more, which matters for their locks;
// MariaDB locks at SERIALIZABLE without being told.
static std::string taken_text(const PrintNames& names, const Statement& statement) {
  Select query = *statement.query;
  const bool locks = std::any_of(query.from.begin(), query.from.end(),
                                 [](const Source& s) { return s.lock != Lock::None; });
  const bool may_lock = locks || names.dialect == Dialect::MariaDb;
  const auto taken = rows_taken(statement);
  if (!may_lock || !taken) return to_text(names, query);
  Expression most;
  most.type = type(TypeKind::Int8);
  most.value = Value::integer(static_cast<std::int64_t>(*taken));
  Expression least;
  least.kind = Expression::Kind::Call;
  least.function = Function::Least;
  least.type = most.type;
  least.arguments = {std::make_shared<const Expression>(std::move(most))};
  if (query.limit) least.arguments.push_back(query.limit);
  query.limit = std::make_shared<const Expression>(std::move(least));
  return to_text(names, query);
}

std::string server_text(const PrintNames& names, const AsksServer& what) {
  using Kind = AsksServer::Kind;
  switch (what.kind) {
    case Kind::Value:
      return "SELECT " + to_text(names, *what.expression);
    case Kind::Savepoint:
      return "SAVEPOINT " + name_text(names, what.savepoint);
    case Kind::Release:
      return "RELEASE SAVEPOINT " + name_text(names, what.savepoint);
    case Kind::RollbackTo:
      return "ROLLBACK TO SAVEPOINT " + name_text(names, what.savepoint);
    case Kind::Statement:
      break;
  }
  using Of = Statement::Kind;
  const Statement& statement = *what.statement;
  if (statement.kind == Of::Select) return taken_text(names, statement);
  if (statement.kind == Of::ForQuery) return to_text(names, *statement.query);
  const bool changes = statement.insert || statement.update || statement.erase;
  if (changes && names.dialect == Dialect::MariaDb) return mariadb_change(names, statement);
  return change_text(names, statement);
}

}  // namespace isomer::program
