// SPDX-License-Identifier: MIT
#include "database/postgresql/seen.h"

#include <algorithm>
#include <functional>
#include <map>

#include "program/machine/references.h"
#include "program/machine/statement_execution.h"

namespace isomer::database::postgresql {
namespace {

using program::AsksServer;
using program::Tuple;

// A sum, since the order of rows is nothing that was read.
void add_to(Fingerprint& sum, Digest digest) {
  const Fingerprint more = digest.fingerprint();
  sum.high += more.high;
  sum.low += more.low;
}

void add_tuple(Fingerprint& sum, std::span<const Value> tuple) {
  Digest digest;
  add_values(digest, tuple);
  add_to(sum, digest);
}

// --- tables as they would be ---

class Reader final : public program::TableReader {
 public:
  Reader(const State& state, const Snapshot& snapshot, std::span<const ActorId> also,
         Seen& seen)
      : state_(state),
        snapshot_(snapshot),
        also_(also),
        seen_(seen),
        visible_(state.heaps.size()) {}

  std::vector<Value> rows(TableId table,
                          std::span<const std::optional<Value>> pins) override {
    const auto& key = state_.table(table).primary_key;
    const Heap& heap = state_.heap(table);
    const std::vector<bool>& visible = visible_in(table);
    std::vector<Value> out;
    for (Place place = 0; place < heap.size(); ++place) {
      if (!visible[place]) continue;
      bool fits = true;
      for (std::size_t i = 0; i < pins.size() && fits; ++i)
        fits = !pins[i] || heap[place].values.items()[key[i].index] == *pins[i];
      if (fits) out.push_back(heap[place].values);
    }
    return out;
  }

  Value changed(const program::Expression& rows) override { return change(rows); }

  std::function<Value(const program::Expression&)> change;  // what it would return

  void found(const program::Select& query, std::span<const Tuple> tuples) override {
    if (query.limit || query.offset || program::is_correlated(query)) return;
    Fingerprint& sum = seen_.queries[&query];
    sum = {};
    for (const Tuple& tuple : tuples)
      add_tuple(sum, tuple);
  }

 private:
  [[nodiscard]] bool is_done(ActorId actor, std::uint32_t command) const {
    if (actor == nobody || state_.status(actor) == Actor::Status::RolledBack) return false;
    if (state_.is_own(actor, snapshot_.top)) return command < snapshot_.command;
    const ActorId top = state_.actors[actor].top;
    return std::find(also_.begin(), also_.end(), top) != also_.end() ||
           (state_.is_committed(top) &&
            state_.actors[top].commit_number <= snapshot_.commits);
  }

  // A version comes only behind the one that it replaced.
  const std::vector<bool>& visible_in(TableId table) {
    std::vector<bool>& out = visible_[table.index];
    const Heap& heap = state_.heap(table);
    if (!out.empty() || heap.empty()) return out;
    out.resize(heap.size());
    std::vector<bool> follows_nothing(heap.size());
    for (Place place = 0; place < heap.size(); ++place) {
      const Version& version = heap[place];
      out[place] =
          !follows_nothing[place] && is_done(version.creator, version.creator_command);
      if (!out[place] && version.next != nowhere) follows_nothing[version.next] = true;
      if (is_done(version.eraser, version.eraser_command)) out[place] = false;
    }
    return out;
  }

  const State& state_;
  const Snapshot& snapshot_;
  std::span<const ActorId> also_;
  Seen& seen_;
  std::vector<std::vector<bool>> visible_;  // by table
};

// --- statements ---

struct Again {
  const Task& task;
  program::StatementExecution& execution;
  Seen& seen;
  mutable std::map<const program::Statement*, Value> changes{};  // in a WITH

  void add(std::span<const Value> tuple) const { add_tuple(seen.result, tuple); }

  void add_value(const Value& value) const { add(std::span<const Value>(&value, 1)); }

  void read_query(const program::Select& query, bool takes_one) const {
    const bool locks = std::any_of(
        query.from.begin(), query.from.end(),
        [](const program::Source& source) { return source.lock != Lock::None; });
    std::size_t most = takes_one ? 2 : ~std::size_t{0};
    if (locks) {
      const program::Bounds bounds = program::bounds_of(execution, query);
      if (bounds.most) most = std::min(most, *bounds.most + bounds.skipped);
      for (const Tuple& tuple : program::ordered_tuples(execution, query))
        if (most-- > 0)
          add(tuple);
        else
          break;
      return;
    }
    for (const auto& row : program::selected(execution, query, nullptr)->rows)
      if (most-- > 0)
        add(row);
      else
        break;
  }

  std::vector<Value> returned(const std::vector<program::ExpressionPtr>& returning,
                              const Tuple& tuple) const {
    const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
    std::vector<Value> out;
    for (const auto& column : returning)
      out.push_back(program::evaluate(*column, &rows, execution.context));
    add(out);
    return out;
  }

  // What it returns if all goes well.
  template <class Change>
  Value read_change(const Change& change,
                    const std::vector<program::Assignment>* assignments) const {
    std::vector<Value> out;
    const auto sources = program::sources_of(change);
    for (Tuple& tuple : program::joined(execution, sources, change.where.get(), nullptr)) {
      add(tuple);
      const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
      if (assignments != nullptr) {
        Value after = program::assigned(execution, change.table.table, tuple[change.target],
                                        *assignments, rows);
        add_value(after);
        tuple[change.target] = std::move(after);
      }
      out.push_back(Value::list(returned(change.returning, tuple)));
    }
    return Value::list(std::move(out));
  }

  Value read_insert(const program::Insert& insert) const {
    std::vector<Value> out;
    for (const Value& row : program::new_rows(execution, insert).rows) {
      add_value(row);
      out.push_back(Value::list(returned(insert.returning, {row})));
    }
    return Value::list(std::move(out));
  }

  void read_merge(const program::Merge& merge) const {
    auto sources = program::sources_of(merge);
    sources[merge.target].left_join_on = merge.where;
    for (const Tuple& tuple : program::joined(execution, sources, nullptr, nullptr)) {
      add(tuple);
      const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
      const bool is_matched = !tuple[merge.target].is_null();
      for (const program::Merge::When& when : merge.whens) {
        if (when.is_matched != is_matched) continue;
        if (when.condition && !program::holds(*when.condition, &rows, execution.context))
          continue;
        for (const auto& assignment : when.assignments)
          add_value(program::evaluate(*assignment.value, &rows, execution.context));
        for (const auto& value : when.values)
          add_value(program::evaluate(*value, &rows, execution.context));
        break;
      }
    }
  }

  void read_statement(const program::Statement& statement) const {
    if (statement.insert)
      read_insert(*statement.insert);
    else if (statement.update)
      read_change(*statement.update, &statement.update->assignments);
    else if (statement.erase)
      read_change(*statement.erase, nullptr);
    else if (statement.merge)
      read_merge(*statement.merge);
    else if (statement.query)
      read_query(*statement.query, !statement.targets.variables.empty());
    for (const program::CommonTable& common : program::with_of(statement))
      if (common.rows->change) change_in_with(*common.rows);
  }

  Value change_in_with(const program::Expression& rows) const {
    const auto [known, is_new] = changes.try_emplace(rows.change.get());
    if (!is_new) return known->second;
    const program::Statement& change = *rows.change;
    Value out = change.insert   ? read_insert(*change.insert)
                : change.update ? read_change(*change.update, &change.update->assignments)
                                : read_change(*change.erase, nullptr);
    return changes[rows.change.get()] = std::move(out);
  }

  void read() const {
    if (task.what.kind == AsksServer::Kind::Value)
      add_value(program::evaluate(*task.what.expression, nullptr, execution.context));
    else if (task.what.statement != nullptr)
      read_statement(*task.what.statement);
    if (execution.context.fault) add_value(Value::text(execution.context.fault->sqlstate));
  }
};

}  // namespace

bool Seen::is_like(const Seen& other) const {
  return result == other.result &&
         std::all_of(queries.begin(), queries.end(), [&](const auto& query) {
           const auto same = other.queries.find(query.first);
           return same == other.queries.end() || same->second == query.second;
         });
}

Seen read_again(const State& state, const Task& task, const Snapshot& snapshot,
                std::span<const ActorId> also) {
  Seen out;
  const program::OwnWrites no_writes;
  const program::Answers no_answers;
  Reader reader(state, snapshot, also, out);
  program::StatementExecution execution{
      .view =
          program::View(*state.program, program::Granularity::Row, no_writes, no_answers)};
  execution.reader = &reader;
  execution.context.variables = task.variables;
  execution.context.found = task.found;
  execution.context.row_count = task.row_count;
  program::connect_queries(execution);
  const Again again{.task = task, .execution = execution, .seen = out};
  reader.change = [&](const program::Expression& rows) {
    return again.change_in_with(rows);
  };
  again.read();
  return out;
}

}  // namespace isomer::database::postgresql
