// SPDX-License-Identifier: MIT
// SELECT and subqueries: consistent reads by a read view, dirty reads, and current reads
// that lock.  Which of them a query is depends on the level and on the statement around it.
#include <algorithm>

#include "database/innodb/statement.h"
#include "program/machine/references.h"

namespace isomer::database::innodb {

using program::AsksServer;
using program::Lock;

// --- how rows are read ---

// Subqueries of DELETE, and those among the VALUES of INSERT, share-lock at every level.
// UPDATE and INSERT .. SELECT read what they compute from as firmly as their level asks.
Sight Statement::sight_of_queries() const {
  const program::Statement* statement = work_.what.statement;
  const IsolationLevel level = transaction().level;
  if (level == IsolationLevel::Serializable) return Sight::Share;
  if (statement != nullptr &&
      (statement->erase || (statement->insert && !statement->insert->query)))
    return Sight::Share;
  if (updates_what_it_queries()) return Sight::Share;
  if (level == IsolationLevel::ReadUncommitted) return Sight::Dirty;
  const bool writes = statement != nullptr && (statement->update || statement->insert);
  return writes && transaction().locks_gaps() ? Sight::Share : Sight::Snapshot;
}

namespace {

bool reads(const program::Expression& expression, TableId table) {
  return (expression.query && innodb::reads(*expression.query, table)) ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [&](const auto& part) { return part && reads(*part, table); });
}

}  // namespace

bool reads(const program::Select& query, TableId table) {
  bool out = std::any_of(query.from.begin(), query.from.end(),
                         [&](const auto& source) { return source.table == table; });
  program::visit_parts(
      query, [&](const program::Expression& part) { out = out || reads(part, table); });
  return out;
}

bool Statement::updates_what_it_queries() const {
  const program::Statement* statement = work_.what.statement;
  if (statement == nullptr || !statement->update) return false;
  const program::Update& update = *statement->update;
  const TableId table = update.table.table;
  return (update.where && reads(*update.where, table)) ||
         std::any_of(update.assignments.begin(), update.assignments.end(),
                     [&](const auto& assignment) {
                       return assignment.value && reads(*assignment.value, table);
                     });
}

namespace {

Sight sight_of(const program::Source& source, Sight of_queries) {
  if (source.lock >= Lock::NoKeyUpdate) return Sight::Exclusive;
  if (source.lock != Lock::None) return Sight::Share;
  return of_queries;
}

}  // namespace

// --- read views ---

// At REPEATABLE READ the first consistent read of the transaction makes it, and it stays.
void Statement::take_view() {
  if (transaction().view) return;
  transaction().view = state_.commits;
  for (std::uint32_t i = 0; i < state_.tables.size(); ++i)
    touched.reads.push_back({.table = {i}});
}

// innodb_snapshot_isolation at SERIALIZABLE: any statement does; current reads are held to
// it.  False if the statement stopped.
bool Statement::takes_view_first() {
  if (transaction().level != IsolationLevel::Serializable || !terms_.has_snapshot_isolation)
    return true;
  return step([] { return Request{.kind = Request::Kind::Read}; },
              [&](const Request&) -> Outcome {
                take_view();
                return {};
              }) != nullptr;
}

std::vector<Value> Statement::seen_rows(TableId table,
                                        std::span<const std::optional<Value>> pins) {
  std::vector<Value> out;
  const auto is_wanted = [&](const Key& key) {
    for (std::size_t i = 0; i < pins.size(); ++i)
      if (pins[i] && *pins[i] != key[i]) return false;
    return true;
  };
  for (const auto& [key, versions] : state_.records(table).rows) {
    if (!is_wanted(key)) continue;
    Value row = state_.seen(versions, trx_, *transaction().view);
    if (!row.is_null()) out.push_back(std::move(row));
  }
  return out;
}

std::vector<Value> Statement::Reader::rows(TableId table,
                                           std::span<const std::optional<Value>> pins) {
  Statement& of = statement_;
  if (of.is_in_act_) return of.seen_rows(table, pins);
  const auto read = [&]() -> Outcome {
    of.take_view();
    return {.values = of.seen_rows(table, pins)};
  };
  const bool has_view = std::exchange(of.has_view_, true);
  const auto outcome = has_view
                           ? of.once(read)
                           : of.step([] { return Request{.kind = Request::Kind::Read}; },
                                     [&](const Request&) { return read(); });
  if (outcome) return outcome->values;
  of.execution_.context.is_waiting |= of.is_waiting_;
  return {};
}

// A plain SELECT is one step: it waits for nobody, and sees one snapshot.
std::optional<Reply> Statement::snapshot_query(const std::function<Reply()>& compute) {
  const auto outcome = step([] { return Request{.kind = Request::Kind::Read}; },
                            [&](const Request&) -> Outcome {
                              take_view();
                              is_in_act_ = true;
                              Outcome out{.reply = compute()};
                              is_in_act_ = false;
                              out.fault = std::exchange(fault(), std::nullopt);
                              return out;
                            });
  if (!took(outcome)) return std::nullopt;
  return outcome->reply;
}

// --- queries ---

namespace {

bool reads_tables(const program::Select& query);

bool reads_tables(const program::Expression& expression) {
  return (expression.query && reads_tables(*expression.query)) ||
         std::any_of(expression.arguments.begin(), expression.arguments.end(),
                     [](const auto& part) { return part && reads_tables(*part); });
}

bool reads_tables(const program::Select& query) {
  bool out = !query.from.empty();
  program::visit_parts(
      query, [&](const program::Expression& part) { out = out || reads_tables(part); });
  return out;
}

// Does the order of the primary key do, forwards or backwards?
bool is_by_primary_key(const State& state, const program::Select& query) {
  if (query.from.size() != 1 || query.order.empty()) return false;
  const auto& key = state.table(query.from[0].table).primary_key;
  if (query.order.size() > key.size()) return false;
  for (std::size_t i = 0; i < query.order.size(); ++i) {
    const program::Expression& by = *query.order[i].by;
    if (by.kind != program::Expression::Kind::Column || by.outer != 0 ||
        by.column != key[i] || query.order[i].is_descending != query.order[0].is_descending)
      return false;
  }
  return true;
}

}  // namespace

std::optional<Reply> Statement::value() {
  const auto compute = [&] {
    Reply out;
    out.rows.push_back(
        {program::evaluate(*work_.what.expression, nullptr, execution_.context)});
    out.count = 1;
    return out;
  };
  if (!reads_tables(*work_.what.expression) || sight_of_queries() != Sight::Snapshot)
    return compute();
  return snapshot_query(compute);
}

std::optional<Reply> Statement::query(const program::Select& query,
                                      std::optional<std::size_t> most) {
  const auto compute = [&] {
    Reply out;
    const auto found = program::selected(execution_, query, nullptr);
    if (is_stopped()) return out;
    out.rows = found->rows;
    if (most && out.rows.size() > *most) out.rows.resize(*most);
    out.count = static_cast<std::int64_t>(out.rows.size());
    return out;
  };
  const bool locks = locks_rows(query);
  if (!reads_tables(query)) return compute();
  if (!locks && sight_of_queries() == Sight::Snapshot) return snapshot_query(compute);
  const bool is_whole = program::is_grouped(query) || query.is_distinct;
  if (is_whole || query.from.empty()) return compute();
  return streamed(query, most, sight_of_queries());
}

std::optional<Reply> Statement::streamed(const program::Select& query,
                                         std::optional<std::size_t> most, Sight sight) {
  Reply reply;
  stream(query, sight, [&](std::vector<Value> row) {
    reply.rows.push_back(std::move(row));
    return !most || reply.rows.size() < *most;
  });
  if (is_stopped()) return std::nullopt;
  reply.count = static_cast<std::int64_t>(reply.rows.size());
  return reply;
}

// Rows are read one by one until there are enough of them, unless they must be sorted.
void Statement::stream(const program::Select& query, Sight sight,
                       const std::function<bool(std::vector<Value>)>& take_row) {
  const program::Bounds bounds = program::bounds_of(execution_, query);
  if (is_stopped() || bounds.most == 0) return;
  std::size_t skipped = 0;
  std::size_t taken = 0;
  const auto keep = [&](const Tuple& tuple) {
    if (is_stopped()) return false;
    if (skipped++ < bounds.skipped) return true;
    std::vector<Value> row = program::columns_of(execution_, query, tuple);
    if (is_stopped() || !take_row(std::move(row))) return false;
    return !is_stopped() && (!bounds.most || ++taken < *bounds.most);
  };
  const bool is_by_key = is_by_primary_key(state_, query);
  if (query.order.empty() || is_by_key) {
    Join all{.from = query.from,
             .where = query.where.get(),
             .query = &query,
             .is_backward = is_by_key && query.order[0].is_descending,
             .is_by_key = is_by_key};
    for (const program::Source& source : query.from)
      all.sights.push_back(sight_of(source, sight));
    join(all, keep);
  } else {
    for (const Tuple& tuple : program::ordered_tuples(execution_, query))
      if (!keep(tuple)) break;
  }
}

// --- subqueries ---

namespace {

// The query whose FROM this is.
struct QuerySearch {
  const program::Source* from;
  const program::Select* found = nullptr;

  void look(const program::Select& query) {
    if (query.from.data() == from) found = &query;
    program::visit_parts(query, [&](const program::Expression& part) { look(part); });
  }

  void look(const program::Expression& expression) {
    if (expression.query) look(*expression.query);
    for (const auto& part : expression.arguments)
      look(part);
  }

  void look(const program::ExpressionPtr& expression) {
    if (expression && found == nullptr) look(*expression);
  }

  void look(const std::vector<program::Assignment>& assignments) {
    for (const auto& assignment : assignments)
      look(assignment.value);
  }

  void look(const std::vector<program::ExpressionPtr>& expressions) {
    for (const auto& expression : expressions)
      look(expression);
  }

  void look(const program::Statement& statement) {
    if (statement.query) look(*statement.query);
    if (statement.insert) {
      if (statement.insert->query) look(*statement.insert->query);
      for (const auto& row : statement.insert->rows)
        look(row);
      look(statement.insert->updates);
      look(statement.insert->returning);
    }
    if (statement.update) {
      look(statement.update->assignments);
      look(statement.update->where);
      look(statement.update->returning);
    }
    if (statement.erase) {
      look(statement.erase->where);
      look(statement.erase->returning);
    }
  }
};

const program::Select* query_of(const AsksServer& what, const program::Source* from) {
  QuerySearch search{.from = from};
  if (what.expression != nullptr) search.look(*what.expression);
  if (what.statement != nullptr) search.look(*what.statement);
  return search.found;
}

}  // namespace

std::optional<std::vector<program::Tuple>> Statement::Reader::joined(
    std::span<const program::Source> from, const program::Expression* where,
    const program::Rows* around) {
  Statement& of = statement_;
  const bool one_is_enough = std::exchange(of.execution_.one_is_enough, false);
  const program::Select* query =
      from.empty() ? nullptr : query_of(of.work_.what, from.data());
  const Sight sight = of.sight_of_queries();
  if (query == nullptr || (sight == Sight::Snapshot && !locks_rows(*query)))
    return std::nullopt;
  Join all{.from = from, .where = where, .around = around, .query = query};
  for (const program::Source& source : from)
    all.sights.push_back(sight_of(source, sight));
  std::vector<Tuple> out;
  of.join(all, [&](const Tuple& tuple) {
    out.push_back(tuple);
    return !one_is_enough;
  });
  of.execution_.context.is_waiting |= of.is_waiting_;
  return out;
}

}  // namespace isomer::database::innodb
