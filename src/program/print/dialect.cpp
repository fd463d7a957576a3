// SPDX-License-Identifier: MIT
#include "program/print/dialect.h"

#include <algorithm>

#include "program/machine/references.h"

namespace isomer::program {
namespace {

constexpr std::size_t obstacles_max = 20;

bool has_query(const Expression& e) {
  return e.query != nullptr ||
         std::ranges::any_of(e.arguments, [](const ExpressionPtr& part) {
           return part && has_query(*part);
         });
}

class Walk {
 public:
  Walk(const Program& program, const PartVisitor& visitor)
      : program_(program), visitor_(visitor) {}

  void run() {
    for (const Table& table : program_.tables) {
      if (visitor_.table) visitor_.table(table);
      for (const Check& check : table.checks)
        visit(check.condition);
    }
    for (const TransactionType& type : program_.types) {
      for (const Variable& variable : type.variables)
        visit_value(variable.initial);
      visit(type.body);
    }
  }

 private:
  void visit(const Block& block) {
    for (const Statement& statement : block) {
      visit(statement);
      for (const Block* inner : blocks_of(statement))
        visit(*inner);
    }
  }

  void visit(const Statement& s) {
    using Kind = Statement::Kind;
    const bool asks = s.kind == Kind::Select || s.kind == Kind::ForQuery || s.insert ||
                      s.update || s.erase || s.merge || s.kind == Kind::LockTable ||
                      s.advisory || s.kind == Kind::Savepoint ||
                      s.kind == Kind::RollbackTo || s.kind == Kind::Release ||
                      s.kind == Kind::SetConstraints;
    if (asks && visitor_.statement) visitor_.statement(s);
    for (const ExpressionPtr& value : {s.value, s.limit, s.step})
      visit_value(value);
    if (s.query) visit(*s.query, QueryPlace::Statement);
    if (s.insert) visit(*s.insert);
    if (s.update) visit_change(*s.update);
    if (s.update) visit(s.update->assignments);
    if (s.erase) visit_change(*s.erase);
    if (s.advisory) visit(s.advisory->key);
  }

  // The machine computes what has no query in it.
  void visit_value(const ExpressionPtr& value) {
    if (value && has_query(*value)) visit(value);
  }

  void visit(const std::vector<CommonTable>& with) {
    for (const CommonTable& common : with)
      visit(common.rows);
  }

  void visit(const std::vector<Source>& from) {
    for (const Source& source : from) {
      if (source.common.empty()) visit(source.rows);
      visit(source.left_join_on);
    }
  }

  void visit(const Insert& insert) {
    visit(insert.with);
    for (const auto& row : insert.rows)
      visit(row);
    if (insert.query) visit(*insert.query, QueryPlace::InsertSelect);
    visit(insert.updates);
    visit(insert.update_where);
    visit(insert.returning);
  }

  template <class Change>
  void visit_change(const Change& change) {
    visit(change.with);
    visit(change.from);
    visit(change.where);
    visit(change.returning);
  }

  void visit(const std::vector<Assignment>& assignments) {
    for (const Assignment& assignment : assignments)
      visit(assignment.value);
  }

  void visit(const std::vector<ExpressionPtr>& list) {
    for (const ExpressionPtr& expression : list)
      visit(expression);
  }

  void visit(const ExpressionPtr& expression) {
    if (!expression) return;
    if (visitor_.expression) visitor_.expression(*expression);
    visit(expression->arguments);
    if (expression->query) visit(*expression->query, place_of_query(*expression));
  }

  static QueryPlace place_of_query(const Expression& e) {
    if (e.kind == Expression::Kind::Exists) return QueryPlace::Exists;
    return e.kind == Expression::Kind::InQuery ? QueryPlace::In : QueryPlace::Scalar;
  }

  void visit(const Select& query, QueryPlace place) {
    if (visitor_.query) visitor_.query(query, place);
    visit(query.with);
    visit(query.from);
    for (const ExpressionPtr& part : {query.where, query.having, query.limit, query.offset})
      visit(part);
    visit(query.columns);
    visit(query.group_by);
    for (const OrderKey& key : query.order)
      visit(key.by);
  }

  const Program& program_;
  const PartVisitor& visitor_;
};

}  // namespace

bool has_range(const Expression& e) {
  return e.type.kind == TypeKind::Range ||
         std::any_of(e.arguments.begin(), e.arguments.end(), [](const ExpressionPtr& part) {
           return part && part->type.kind == TypeKind::Range;
         });
}

void visit_server_parts(const Program& program, const PartVisitor& visitor) {
  Walk(program, visitor).run();
}

void Obstacles::add(Span at, std::string message) {
  if (out_.size() >= obstacles_max || std::ranges::count(places_, at.first) != 0) return;
  places_.push_back(at.first);
  out_.push_back(diagnostic_in(program_, at.first, std::move(message)));
}

Diagnostics obstacles(const Program& program, Dialect dialect) {
  switch (dialect) {
    case Dialect::PostgreSql:
      return {};
    case Dialect::Sqlite:
      return sqlite_obstacles(program);
    case Dialect::MariaDb:
      return mariadb_obstacles(program);
  }
  return {};
}

}  // namespace isomer::program
