// SPDX-License-Identifier: MIT
#include "program/database_only.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "program/call_table.h"
#include "program/machine/references.h"

namespace isomer::program {
namespace {

constexpr std::size_t complaints_max = 20;

using StatementVisit = std::function<void(const Statement&)>;

void visit_statements(const Block& block, const StatementVisit& act) {
  for (const Statement& statement : block) {
    act(statement);
    for (const Block* inner : blocks_of(statement))
      visit_statements(*inner, act);
  }
}

// --- the queries of a statement ---

// Calls `act` with each query inside an expression or statement; its own query is not one.
class InnerQueries {
 public:
  using Visit = std::function<void(const Select&)>;

  using VisitExpression = std::function<void(const Expression&)>;

  explicit InnerQueries(const Visit& act, const VisitExpression* each = nullptr)
      : act_(act), each_(each) {}

  void visit(const Statement& s) {
    visit(std::vector{s.key, s.value, s.limit, s.step});
    if (s.query) visit_parts_of(*s.query);
    if (s.insert) visit(*s.insert);
    if (s.update) visit_change(*s.update);
    if (s.update) visit(s.update->assignments);
    if (s.erase) visit_change(*s.erase);
    if (s.advisory) visit(s.advisory->key);
  }

  void visit(const ExpressionPtr& expression) {
    if (expression) visit(*expression);
  }

  void visit(const Select& query) {
    act_(query);
    visit_parts_of(query);
  }

 private:
  void visit(const Expression& expression) {
    if (each_ != nullptr) (*each_)(expression);
    visit(expression.arguments);
    if (expression.query) visit(*expression.query);
  }

  void visit(const std::vector<ExpressionPtr>& list) {
    for (const ExpressionPtr& expression : list)
      visit(expression);
  }

  void visit(const std::vector<Assignment>& assignments) {
    for (const Assignment& assignment : assignments)
      visit(assignment.value);
  }

  void visit_parts_of(const Select& query) {
    visit_parts(query, [this](const Expression& part) { visit(part); });
  }

  void visit(const std::vector<CommonTable>& with) {
    for (const CommonTable& common : with)
      visit(common.rows);
  }

  void visit(const Insert& insert) {
    visit(insert.with);
    for (const auto& row : insert.rows)
      visit(row);
    if (insert.query) visit(*insert.query);
    visit(insert.updates);
    visit(insert.update_where);
    visit(insert.returning);
  }

  // UPDATE and DELETE have these in common.
  template <class Change>
  void visit_change(const Change& change) {
    visit(change.with);
    for (const Source& source : change.from) {
      visit(source.rows);
      visit(source.left_join_on);
    }
    visit(change.where);
    visit(change.returning);
  }

  const Visit& act_;
  const VisitExpression* each_;
};

// --- foreign keys ---

bool moves_children(ReferenceAction action) {
  return action != ReferenceAction::NoAction && action != ReferenceAction::Restrict;
}

bool touches(const std::vector<Assignment>& assignments,
             const std::vector<ColumnId>& columns) {
  return std::ranges::any_of(assignments, [&](const Assignment& assignment) {
    return std::ranges::find(columns, assignment.column) != columns.end();
  });
}

// ON DELETE or ON UPDATE, if the statement starts it.
std::string action_started(const Statement& s, TableId parent, const ForeignKey& key) {
  if (s.erase && s.erase->table.table == parent && moves_children(key.on_delete))
    return fmt::format("ON DELETE {}", name(key.on_delete));
  const bool updates =
      (s.update && s.update->table.table == parent &&
       touches(s.update->assignments, key.referenced)) ||
      (s.insert && s.insert->table == parent && touches(s.insert->updates, key.referenced));
  return updates && moves_children(key.on_update)
             ? fmt::format("ON UPDATE {}", name(key.on_update))
             : "";
}

// --- complaints ---

class Search {
 public:
  explicit Search(const Program& program) : program_(program) {}

  Diagnostics run(const std::vector<std::uint32_t>& types) {
    for (const std::uint32_t type : types)
      look_at(program_.types[type]);
    for (const Invariant& invariant : program_.invariants)
      if (asks_for_calls(program_, invariant))
        complain(invariant.query->at, "the table \"call\"");
    if (out_.size() > complaints_max) out_.resize(complaints_max);
    return std::move(out_);
  }

 private:
  // Once a place; whether it is new.
  bool complain(Span at, std::string_view construct) {
    if (!places_.insert(at.first).second) return false;
    out_.push_back(diagnostic_in(
        program_, at.first,
        fmt::format("only a database level such as pg:RC gives a meaning to {}",
                    construct)));
    return true;
  }

  void look_at(const TransactionType& type) {
    if (!type.level.empty())
      complain(type.at, fmt::format("ISOLATION LEVEL {}", type.level));
    if (type.is_read_only) complain(type.at, "READ ONLY");
    if (type.is_deferrable) complain(type.at, "DEFERRABLE");
    const InnerQueries::Visit inner = [this](const Select& query) {
      look_at_inner_locks(query);
    };
    for (const Variable& variable : type.variables)
      InnerQueries(inner).visit(variable.initial);
    visit_statements(type.body, [&](const Statement& s) {
      look_at(s);
      InnerQueries(inner).visit(s);
    });
  }

  void look_at(const Statement& s) {
    look_at_kind(s);
    if (s.query) look_at_waits(*s.query);
    for (const Table& table : program_.tables)
      for (const ForeignKey& key : table.foreign_keys) {
        const std::string action = action_started(s, key.table, key);
        if (!action.empty() && complain(s.at, action)) note(key.at, "the foreign key");
      }
    if (s.insert) look_at_change(s, s.insert->table);
    if (s.update) look_at_change(s, s.update->table.table);
    if (s.erase) look_at_change(s, s.erase->table.table);
  }

  void note(Span place, std::string message) {
    const auto [file, at] = place_of(program_, place.first);
    out_.back().notes.push_back({.at = at, .message = std::move(message), .file = file});
  }

  // A transaction that breaks a constraint for a while has no meaning there.
  void look_at_change(const Statement& s, TableId id) {
    constexpr std::string_view words = "a constraint that is DEFERRABLE";
    const Table& table = program_.tables[id.index];
    if (table.primary_key_deferral != Deferral::None && complain(s.at, words))
      note(table.at, "the primary key of this table");
    for (const IndexConstraint& index : table.index_constraints)
      if (index.deferral != Deferral::None && complain(s.at, words))
        note(index.at, "the constraint");
    for (std::uint32_t child = 0; child < program_.tables.size(); ++child)
      for (const ForeignKey& key : program_.tables[child].foreign_keys)
        if ((key.table == id || child == id.index) &&
            key.deferral == Deferral::InitiallyDeferred && complain(s.at, words))
          note(key.at, "the foreign key");
  }

  void look_at_kind(const Statement& s) {
    using Kind = Statement::Kind;
    if (s.kind == Kind::Protect) complain(s.at, "EXCEPTION (catching errors)");
    if (s.kind == Kind::LockTable) complain(s.at, "LOCK TABLE");
    if (s.kind == Kind::AdvisoryLock) complain(s.at, "advisory locks");
    if (s.kind == Kind::Savepoint) complain(s.at, "SAVEPOINT");
    if (s.kind == Kind::RollbackTo) complain(s.at, "ROLLBACK TO");
    if (s.kind == Kind::Release) complain(s.at, "RELEASE");
    if (s.kind == Kind::SetConstraints) complain(s.at, "SET CONSTRAINTS");
    if (s.kind == Kind::Merge) complain(s.at, "MERGE");
    for (const CommonTable& common : with_of(s))
      if (common.rows->change) complain(common.rows->at, "a change in a WITH");
  }

  void look_at_waits(const Select& query) {
    for (const Source& source : query.from) {
      if (source.lock_wait == LockWait::NoWait) complain(source.lock_at, "NOWAIT");
      if (source.lock_wait == LockWait::SkipLocked) complain(source.lock_at, "SKIP LOCKED");
    }
  }

  // FOR SHARE is a read as any other there, but what would be written is not.
  void look_at_inner_locks(const Select& query) {
    look_at_waits(query);
    for (const Source& source : query.from)
      if (writes_back(source))
        complain(source.lock_at,
                 fmt::format("{} inside another statement", name(source.lock)));
  }

  const Program& program_;
  std::set<std::uint32_t> places_;
  Diagnostics out_;
};

// --- indexes over more than columns ---

class IndexUse {
 public:
  explicit IndexUse(const Program& program) : program_(program) {}

  Diagnostics run(const std::vector<std::uint32_t>& types) {
    for (const std::uint32_t type : types) {
      const TransactionType& of = program_.types[type];
      for (const Variable& variable : of.variables) {
        if (variable.type.kind == TypeKind::Range) refuse_range(variable.at);
        InnerQueries(visit_, &visit_expression_).visit(variable.initial);
      }
      visit_statements(of.body, [&](const Statement& s) { look_at(s); });
    }
    for (const Table& table : program_.tables)
      for (const Column& column : table.columns)
        if (column.type.kind == TypeKind::Range) refuse_range(column.at);
    for (const Invariant& invariant : program_.invariants)
      if (invariant.query) {
        at_ = invariant.query->at;
        InnerQueries(visit_, &visit_expression_).visit(*invariant.query);
      }
    if (out_.size() > complaints_max) out_.resize(complaints_max);
    return std::move(out_);
  }

 private:
  void look_at(const Statement& s) {
    at_ = s.at;
    if (s.query) look_at(s.query->from);
    if (s.insert) look_at(s.insert->table);
    if (s.update) look_at(sources_of(*s.update));
    if (s.erase) look_at(sources_of(*s.erase));
    InnerQueries(visit_, &visit_expression_).visit(s);
  }

  void look_at(const std::vector<Source>& sources) {
    for (const Source& source : sources)
      look_at(source.table);
  }

  void look_at(TableId id) {
    if (id.index >= program_.tables.size()) return;
    const Table& table = program_.tables[id.index];
    if (table.index_constraints.empty() || !places_.insert(at_.first).second) return;
    const IndexConstraint& of = table.index_constraints.front();
    out_.push_back(diagnostic_in(
        program_, at_.first,
        fmt::format("only run and explore know {} of {}",
                    of.is_exclusion ? "the EXCLUDE"
                                    : "the UNIQUE INDEX over values or some of the rows",
                    table.name)));
    const auto [file, at] = place_of(program_, of.at.first);
    out_.back().notes.push_back({.at = at, .message = "it stands here", .file = file});
  }

  // No solver of ours knows them.
  void refuse_range(Span at) {
    if (places_.insert(at.first).second)
      out_.push_back(diagnostic_in(program_, at.first, "only run and explore know ranges"));
  }

  const Program& program_;
  InnerQueries::VisitExpression visit_expression_ = [this](const Expression& e) {
    const auto is_range = [](const ExpressionPtr& part) {
      return part && part->type.kind == TypeKind::Range;
    };
    if (e.type.kind == TypeKind::Range || std::ranges::any_of(e.arguments, is_range))
      refuse_range(e.at);
  };
  InnerQueries::Visit visit_ = [this](const Select& query) { look_at(query.from); };
  Span at_{};
  std::set<std::uint32_t> places_;
  Diagnostics out_;
};

std::vector<std::uint32_t> each_once(std::vector<std::uint32_t> types) {
  std::ranges::sort(types);
  const auto [first, last] = std::ranges::unique(types);
  types.erase(first, last);
  return types;
}

// --- rows that are computed ---

class ComputedRows {
 public:
  ComputedRows(const Program& program, std::string_view engine)
      : program_(program), engine_(engine) {}

  Diagnostics run(const std::vector<std::uint32_t>& types) {
    const InnerQueries::Visit inner = [this](const Select& query) { look_at(query.from); };
    for (const std::uint32_t type : types) {
      for (const Variable& variable : program_.types[type].variables)
        InnerQueries(inner).visit(variable.initial);
      visit_statements(program_.types[type].body, [&](const Statement& s) {
        if (s.query) look_at(s.query->from);
        if (s.update) look_at(s.update->from);
        if (s.erase) look_at(s.erase->from);
        InnerQueries(inner).visit(s);
      });
    }
    for (const Invariant& invariant : program_.invariants) {
      if (!invariant.query) continue;
      Statement asked;
      asked.query = invariant.query;
      look_at(asked.query->from);
      InnerQueries(inner).visit(asked);
    }
    if (out_.size() > complaints_max) out_.resize(complaints_max);
    return std::move(out_);
  }

 private:
  void look_at(const std::vector<Source>& from) {
    for (const Source& source : from)
      if (source.rows && places_.insert(source.rows->at.first).second)
        out_.push_back(diagnostic_in(
            program_, source.rows->at.first,
            fmt::format("{} understands only tables in FROM, and queries there that do no "
                        "more than join, filter and compute columns",
                        engine_)));
  }

  const Program& program_;
  std::string_view engine_;
  std::set<std::uint32_t> places_;
  Diagnostics out_;
};

// --- what means more ---

class Meanings {
 public:
  explicit Meanings(const Program& program) : program_(program) {}

  MeansMore run(const std::vector<std::uint32_t>& types) {
    for (const std::uint32_t type : types)
      visit_statements(program_.types[type].body, [&](const Statement& s) {
        look_at_locks(s);
        if (s.insert) change(s.insert->table, {}, Rows::Come);
        if (s.insert) change(s.insert->table, s.insert->updates, Rows::Stay);
        if (s.update) change(s.update->table.table, s.update->assignments, Rows::Stay);
        if (s.erase) change(s.erase->table.table, {}, Rows::Go);
      });
    return lock_.words.empty() ? constraint_ : lock_;
  }

 private:
  enum class Rows : std::uint8_t { Come, Stay, Go };

  void look_at_locks(const Statement& s) {
    const InnerQueries::Visit look = [this](const Select& query) {
      for (const Source& source : query.from)
        if (source.lock != Lock::None)
          keep(lock_, std::string(name(source.lock)), source.lock_at);
    };
    if (s.query) look(*s.query);
    InnerQueries(look).visit(s);
  }

  void change(TableId id, const std::vector<Assignment>& assignments, Rows rows) {
    const auto concerns = [&](const std::vector<ColumnId>& columns) {
      return rows == Rows::Come || (rows == Rows::Stay && touches(assignments, columns));
    };
    const Table& table = program_.tables[id.index];
    if (std::ranges::any_of(table.unique, concerns)) keep(constraint_, "UNIQUE", table.at);
    if (!table.index_constraints.empty() && rows != Rows::Go)
      keep(constraint_, table.index_constraints.front().is_exclusion ? "EXCLUDE" : "UNIQUE",
           table.index_constraints.front().at);
    for (const ForeignKey& key : table.foreign_keys)
      if (concerns(key.columns)) keep(constraint_, "REFERENCES", key.at);
    for (const Table& child : program_.tables)
      for (const ForeignKey& key : child.foreign_keys)
        if (key.table == id && rows != Rows::Come &&
            (rows == Rows::Go || touches(assignments, key.referenced)))
          keep(constraint_, "REFERENCES", key.at);
  }

  static void keep(MeansMore& first, std::string words, Span at) {
    if (first.words.empty()) first = {.words = std::move(words), .at = at};
  }

  const Program& program_;
  MeansMore lock_;
  MeansMore constraint_;
};

}  // namespace

std::vector<std::uint32_t> called_types(const Program& program) {
  std::vector<std::uint32_t> out;
  for (const Session& session : program.sessions)
    for (const Call& call : session.calls)
      out.push_back(call.type);
  return each_once(std::move(out));
}

std::vector<std::uint32_t> workload_types(const Program& program) {
  std::vector<std::uint32_t> out;
  for (const WorkloadType& drawn : program.workload)
    out.push_back(drawn.type);
  return each_once(std::move(out));
}

std::vector<std::uint32_t> all_types(const Program& program) {
  std::vector<std::uint32_t> out(program.types.size());
  std::iota(out.begin(), out.end(), 0U);
  return out;
}

Diagnostics database_only(const Program& program, const std::vector<std::uint32_t>& types) {
  return Search(program).run(types);
}

Diagnostics index_constraints_used(const Program& program,
                                   const std::vector<std::uint32_t>& types) {
  return IndexUse(program).run(types);
}

Diagnostics computed_rows(const Program& program, const std::vector<std::uint32_t>& types,
                          std::string_view engine) {
  return ComputedRows(program, engine).run(types);
}

MeansMore means_more_in_databases(const Program& program,
                                  const std::vector<std::uint32_t>& types) {
  return Meanings(program).run(types);
}

}  // namespace isomer::program
