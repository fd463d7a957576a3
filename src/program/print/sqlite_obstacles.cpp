// SPDX-License-Identifier: MIT
// What SQLite 3.40 has no words for, or other meanings.
#include <algorithm>

#include <fmt/format.h>

#include "program/machine/references.h"
#include "program/print/dialect.h"
#include "program/print/sqlite_text.h"
#include "program/sql/type.h"

namespace isomer::program {
namespace {

bool is_moment(TypeKind kind) {
  return kind == TypeKind::Date || kind == TypeKind::Timestamp;
}

// Does SQLite keep them in the same way?
bool are_kept_alike(TypeKind a, TypeKind b) {
  return a == b || (is_number(a) && is_number(b)) || a == TypeKind::Any ||
         b == TypeKind::Any;
}

bool has_query(const ExpressionPtr& e) {
  return e && (e->query != nullptr ||
               std::any_of(e->arguments.begin(), e->arguments.end(), has_query));
}

class Search {
 public:
  explicit Search(const Program& program) : program_(program), out_(program) {}

  void look_at_modes() {
    for (const TransactionType& type : program_.types)
      if (!type.level.empty() || type.is_read_only || type.is_deferrable)
        out_.add(type.at,
                 "expected BEGIN alone for SQLite, whose transactions have no modes");
  }

  void look_at(const Table& table) {
    for (const Column& column : table.columns)
      if (!is_kept_by_sqlite(column.type))
        out_.add(column.at,
                 fmt::format("expected another type than {} for SQLite, which has no {}",
                             to_text(column.type), words_of(column.type)));
    for (const IndexConstraint& index : table.index_constraints)
      out_.add(index.at,
               index.is_exclusion
                   ? "expected no EXCLUDE for SQLite, which has none"
                   : "expected keys of columns and of all rows for SQLite: our model of it "
                     "knows no others");
    if (table.primary_key_deferral != Deferral::None)
      out_.add(table.at, "expected no DEFERRABLE key for SQLite, which has none");
    for (const ForeignKey& key : table.foreign_keys)
      if (key.deferral != Deferral::None)
        out_.add(key.at,
                 "expected no DEFERRABLE for SQLite: our model of it checks references "
                 "with each statement");
  }

  void look_at(const Statement& s) {
    if (s.merge) return out_.add(s.at, "expected no MERGE for SQLite, which has none");
    if (s.kind == Statement::Kind::LockTable)
      out_.add(s.at,
               "expected no LOCK TABLE for SQLite, which locks its whole file by itself");
    if (s.kind == Statement::Kind::AdvisoryLock)
      out_.add(s.at, "expected no advisory locks for SQLite, which has none");
    if (s.kind == Statement::Kind::SetConstraints)
      out_.add(s.at, "expected no SET CONSTRAINTS for SQLite, which has none");
    if (s.insert) look_at(s, *s.insert);
    if (s.update) look_at_returning(s.update->returning, s.update->target);
    if (s.update)
      for (const Assignment& assignment : s.update->assignments)
        look_at_value(s.update->table.table, assignment.column, assignment.value);
    if (s.erase) look_at_returning(s.erase->returning, s.erase->target);
    if (s.erase && !s.erase->from.empty() && s.erase->from[0].left_join_on)
      out_.add(s.at, "expected USING without LEFT JOIN for SQLite");
  }

  void look_at(const Select& query) {
    for (const Source& source : query.from)
      if (source.lock != Lock::None)
        out_.add(source.lock_at,
                 fmt::format("expected no {} for SQLite, which has no locks of rows; "
                             "BEGIN IMMEDIATE (sqlite:IMMEDIATE) locks its file",
                             name(source.lock)));
    const bool groups = !query.group_by.empty() ||
                        std::ranges::any_of(query.columns, [](const ExpressionPtr& e) {
                          return has_aggregate(*e);
                        });
    if (query.having && !groups)
      out_.add(query.at, "expected GROUP BY beside HAVING for SQLite");
  }

  void look_at(const Expression& e) {
    using Kind = Expression::Kind;
    if (e.kind == Kind::Rows)
      return out_.add(e.at,
                      "expected only tables in FROM for SQLite, of which Isomer knows no "
                      "queries there, VALUES, UNION or WITH");
    if (e.type.kind == TypeKind::Array || e.kind == Kind::AnyElement ||
        e.kind == Kind::AllElements)
      return out_.add(e.at, "expected no arrays for SQLite, which has none");
    if (has_range(e))
      return out_.add(e.at, "expected no ranges for SQLite, which has none");
    if (e.type.kind == TypeKind::Numeric && !is_integral(e))
      return out_.add(e.at, "expected integers for SQLite, which has no exact decimals");
    if (e.kind == Kind::Cast) look_at_cast(e);
    if (e.kind == Kind::Call) look_at_call(e);
  }

  Diagnostics take() { return out_.take(); }

 private:
  static std::string_view words_of(const Type& type) {
    if (type.kind == TypeKind::Numeric) return "exact decimals";
    if (type.kind == TypeKind::Range) return "ranges";
    return type.kind == TypeKind::Array ? "arrays" : "text padded with blanks";
  }

  void refuse(const Expression& e) {
    out_.add(e.at, fmt::format("expected no {} for SQLite, which computes it otherwise",
                               name(e.function)));
  }

  void look_at_call(const Expression& e) {
    const auto kind_of = [&](std::size_t i) { return e.arguments[i]->type.kind; };
    switch (e.function) {
      case Function::Power:
      case Function::SplitPart:
      case Function::EndsWith:
        return refuse(e);
      case Function::Add:
      case Function::Subtract:
        if (is_moment(kind_of(0)) || is_moment(kind_of(1)))
          out_.add(e.at, "expected no arithmetic of dates for SQLite, which has none");
        return;
      case Function::Equal:
      case Function::NotEqual:
      case Function::Less:
      case Function::LessEqual:
      case Function::Greater:
      case Function::GreaterEqual:
      case Function::IsDistinct:
        if (!are_kept_alike(kind_of(0), kind_of(1))) refuse(e);
        return;
      case Function::Concat:
        for (std::size_t i = 0; i < e.arguments.size(); ++i)
          if (kind_of(i) != TypeKind::Text && !is_integer(kind_of(i))) refuse(e);
        return;
      case Function::Substring:
        if (!starts_inside(*e.arguments[1])) refuse(e);
        return;
      default:
        return;
    }
  }

  // SQLite counts negative places from the end.
  static bool starts_inside(const Expression& place) {
    const auto* number = place.value.get_if<std::int64_t>();
    return place.kind == Expression::Kind::Constant && number != nullptr && *number >= 1;
  }

  void look_at_cast(const Expression& e) {
    const Expression& from = *e.arguments[0];
    const bool is_null = from.kind == Expression::Kind::Constant && from.value.is_null();
    const bool is_known = is_null || are_kept_alike(from.type.kind, e.type.kind) ||
                          (is_integer(from.type.kind) && (e.type.kind == TypeKind::Bool ||
                                                          e.type.kind == TypeKind::Text)) ||
                          (from.type.kind == TypeKind::Bool && is_integer(e.type.kind));
    if (!is_known || e.type.is_padded || !is_integral_number(from))
      out_.add(e.at, fmt::format("expected no cast from {} to {} for SQLite",
                                 to_text(from.type), to_text(e.type)));
  }

  static bool is_integral_number(const Expression& e) {
    return e.type.kind != TypeKind::Numeric || is_integral(e);
  }

  // --- changes ---

  void look_at_value(TableId table, ColumnId column, const ExpressionPtr& value) {
    const Column& of = program_.tables[table.index].columns[column.index];
    const bool is_null =
        !value || (value->kind == Expression::Kind::Constant && value->value.is_null());
    if (!is_null && !are_kept_alike(value->type.kind, of.type.kind))
      out_.add(value->at, fmt::format("expected a value of type {} for SQLite, found {}",
                                      to_text(of.type), to_text(value->type)));
  }

  void look_at(const Statement& s, const Insert& insert) {
    for (const auto& row : insert.rows)
      for (std::size_t i = 0; i < row.size(); ++i)
        look_at_value(insert.table, insert.columns[i], row[i]);
    if (insert.query)
      for (std::size_t i = 0; i < insert.query->columns.size(); ++i)
        look_at_value(insert.table, insert.columns[i], insert.query->columns[i]);
    for (const Assignment& assignment : insert.updates)
      look_at_value(insert.table, assignment.column, assignment.value);
    const bool asks = has_query(insert.update_where) ||
                      std::ranges::any_of(insert.updates, [](const Assignment& assignment) {
                        return has_query(assignment.value);
                      });
    if (asks)
      out_.add(s.at,
               "expected no query in DO UPDATE for SQLite, where it would see what "
               "the statement has done so far");
    look_at_returning(insert.returning, {});
  }

  void look_at_returning(const std::vector<ExpressionPtr>& returning,
                         std::optional<std::uint32_t> target) {
    for (const ExpressionPtr& column : returning) {
      if (has_query(column))
        out_.add(column->at,
                 "expected no query in RETURNING for SQLite, where it would see what the "
                 "statement has done so far");
      visit_columns(*column, 0, [&](const Expression& e) {
        if (target && e.source.index != *target)
          out_.add(e.at, "expected columns of the changed table in RETURNING for SQLite");
      });
    }
  }

  const Program& program_;
  Obstacles out_;
};

}  // namespace

Diagnostics sqlite_obstacles(const Program& program) {
  Search search(program);
  search.look_at_modes();
  visit_server_parts(
      program, {.table = [&](const Table& table) { search.look_at(table); },
                .statement = [&](const Statement& s) { search.look_at(s); },
                .query = [&](const Select& query, QueryPlace) { search.look_at(query); },
                .expression = [&](const Expression& e) { search.look_at(e); }});
  return search.take();
}

}  // namespace isomer::program
