// SPDX-License-Identifier: MIT
#include "record/statement_reads.h"

#include <algorithm>
#include <functional>

#include "program/machine/references.h"
#include "program/machine/statement_execution.h"

namespace isomer::record {
namespace {

using program::Expression;
using program::ExpressionPtr;
using program::Program;
using program::Select;
using program::Source;
using program::Statement;
using program::Tuple;

// Rows whose part in the answer is seen only by evaluating once more are left out when
// that takes too long: so many times, looking at so many rows.
constexpr std::size_t evaluations_max = 64;
constexpr std::size_t looks_max = 20'000;

// --- what a statement is ---

bool any_part(const Expression& of, const std::function<bool(const Expression&)>& is_it) {
  return is_it(of) || std::any_of(of.arguments.begin(), of.arguments.end(),
                                  [&](const ExpressionPtr& part) {
                                    return part && any_part(*part, is_it);
                                  });
}

bool any_part(const Select& query, const std::function<bool(const Expression&)>& is_it) {
  bool out = false;
  program::visit_parts(query,
                       [&](const Expression& part) { out |= any_part(part, is_it); });
  return out;
}

bool is_query(const Expression& part) {
  return part.query != nullptr;
}

bool is_extreme(const Expression& part) {
  return part.kind == Expression::Kind::Aggregate &&
         (part.aggregator == Expression::Aggregator::Min ||
          part.aggregator == Expression::Aggregator::Max);
}

// Is every row of FROM and WHERE looked at, whatever the plan?
bool looks_at_all(const Select& query) {
  return !query.limit && !query.offset && !any_part(query, is_extreme);
}

bool looks_at_all_within(const Select& query);

bool looks_at_all_within(const Expression& part) {
  return !any_part(part, [](const Expression& inner) {
    return inner.kind == Expression::Kind::Exists ||
           inner.kind == Expression::Kind::InQuery ||
           (inner.query != nullptr && !looks_at_all_within(*inner.query));
  });
}

bool looks_at_all_within(const Select& query) {
  bool out = looks_at_all(query);
  program::visit_parts(
      query, [&](const Expression& part) { out = out && looks_at_all_within(part); });
  return out;
}

// --- one evaluation ---

struct Region {
  TableId table;
  std::vector<std::optional<Value>> pins;
  friend bool operator==(const Region&, const Region&) = default;

  [[nodiscard]] bool is_one_row() const {
    return std::all_of(pins.begin(), pins.end(), [](const auto& pin) { return !!pin; });
  }
};

template <class Act>
void for_each_key(const Versions& versions, const Region& region, Act act) {
  PrimaryKey start;
  for (const auto& pin : region.pins) {
    if (!pin) break;
    start.push_back(*pin);
  }
  const Versions::Table& rows = versions.table(region.table);
  for (auto at = rows.lower_bound(start); at != rows.end(); ++at) {
    const PrimaryKey& key = at->first;
    if (!std::equal(start.begin(), start.end(), key.begin())) break;
    const bool fits = std::equal(
        region.pins.begin(), region.pins.end(), key.begin(),
        [](const auto& pin, const Value& value) { return !pin || *pin == value; });
    if (fits) act(key, at->second);
  }
}

// One row as if it were another.
struct Instead {
  Row row;
  Value value;
};

class Reader final : public program::TableReader {
 public:
  Reader(const Program& program, const SeenBy& seen, const Instead* instead)
      : program_(program), seen_(seen), instead_(instead) {}

  std::vector<Value> rows(TableId table,
                          std::span<const std::optional<Value>> pins) override {
    const Region region{.table = table, .pins = {pins.begin(), pins.end()}};
    std::vector<Value> out;
    for_each_key(seen_.versions, region,
                 [&](const PrimaryKey& key, const std::vector<Version>& versions) {
                   Value row = row_at({table, key}, versions);
                   if (!row.is_null()) out.push_back(std::move(row));
                 });
    looks += out.size() + 1;
    if (std::find(regions.begin(), regions.end(), region) == regions.end())
      regions.push_back(region);
    return out;
  }

  void found(const Select& query, std::span<const Tuple> tuples) override {
    if (looks_at_all(query)) add(query.from, tuples);
  }

  void add(std::span<const Source> from, std::span<const Tuple> tuples) {
    for (const Tuple& tuple : tuples)
      for (std::size_t i = 0; i < tuple.size(); ++i)
        if (!tuple[i].is_null())
          taken.emplace(from[i].table,
                        program::primary_key_of(program_.tables[from[i].table.index],
                                                tuple[i].items()));
  }

  std::vector<Region> regions;
  std::set<Row> taken;  // in the answer
  std::size_t looks = 0;

 private:
  [[nodiscard]] Value row_at(const Row& row, const std::vector<Version>& versions) const {
    if (instead_ != nullptr && instead_->row == row) return instead_->value;
    if (const auto own = seen_.own.find(row); own != seen_.own.end()) return own->second;
    return Versions::seen(versions, seen_.commits).version.row;
  }

  const Program& program_;
  const SeenBy& seen_;
  const Instead* instead_;
};

struct Evaluated {
  std::vector<std::vector<Value>> answer;  // sorted
  std::set<Row> taken;
  std::vector<Region> regions;
  std::size_t looks = 0;         // at rows
  std::set<PrimaryKey> changed;  // the rows that an UPDATE or DELETE finds
  bool has_failed = false;
};

class Evaluation {
 public:
  Evaluation(const Program& program, const LiveStatement& statement, const SeenBy& seen,
             const Instead* instead)
      : program_(program),
        statement_(statement),
        reader_(program, seen, instead),
        execution_{.view =
                       program::View(program, program::Granularity::Row, own_, answers_)} {
    execution_.reader = &reader_;
    execution_.context.variables = statement.variables;
    execution_.context.found = statement.found;
    execution_.context.row_count = statement.row_count;
    program::connect_queries(execution_);
  }

  Evaluated run() {
    if (statement_.what.kind == program::AsksServer::Kind::Value)
      out_.answer.push_back(
          {program::evaluate(*statement_.what.expression, nullptr, execution_.context)});
    else
      run_statement(*statement_.what.statement);
    out_.has_failed = execution_.context.is_stopped();
    std::sort(out_.answer.begin(), out_.answer.end());
    out_.taken = std::move(reader_.taken);
    out_.regions = std::move(reader_.regions);
    out_.looks = reader_.looks;
    return std::move(out_);
  }

 private:
  void run_statement(const Statement& statement) {
    if (statement.query)
      out_.answer = program::selected(execution_, *statement.query, nullptr)->rows;
    else if (statement.insert)
      for (Value& row : program::new_rows(execution_, *statement.insert).rows)
        out_.answer.push_back({std::move(row)});
    else if (statement.update)
      change(*statement.update, &statement.update->assignments);
    else if (statement.erase)
      change(*statement.erase, nullptr);
  }

  template <class Change>
  void change(const Change& of, const std::vector<program::Assignment>* assignments) {
    const auto from = program::sources_of(of);
    const auto tuples = program::joined(execution_, from, of.where.get(), nullptr);
    reader_.add(from, tuples);
    for (const Tuple& tuple : tuples) {
      const Value& row = tuple[of.target];
      out_.changed.insert(
          program::primary_key_of(program_.tables[of.table.table.index], row.items()));
      std::vector<Value>& line = out_.answer.emplace_back(tuple);
      if (assignments == nullptr) continue;
      const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
      line.push_back(
          program::assigned(execution_, of.table.table, row, *assignments, rows));
    }
  }

  const Program& program_;
  const LiveStatement& statement_;
  program::OwnWrites own_;
  program::Answers answers_;
  Reader reader_;
  program::StatementExecution execution_;
  Evaluated out_;
};

// --- the reads ---

class Reads {
 public:
  Reads(const Program& program, const LiveStatement& statement, IsolationLevel level,
        const SeenBy& seen)
      : program_(program), statement_(statement), level_(level), seen_(seen) {}

  StatementReads run() {
    base_ = evaluate(nullptr);
    if (!is_explained()) return {.reads = {}, .is_explained = false};
    for (const Row& row : base_.taken)
      add(row);
    for (const Region& region : base_.regions)
      add_followed(region);
    if (!sees_all())
      for (const Region& region : base_.regions)
        add_needed(region);
    for (const Region& region : base_.regions)
      add_absent(region);
    add_conflicts();
    return std::move(out_);
  }

 private:
  Evaluated evaluate(const Instead* instead) const {
    return Evaluation(program_, statement_, seen_, instead).run();
  }

  // An INSERT may have skipped rows, and a limited answer may have others in their place.
  [[nodiscard]] bool is_explained() const {
    if (base_.has_failed) return false;
    if (statement_.what.kind == program::AsksServer::Kind::Statement) {
      const Statement& of = *statement_.what.statement;
      if (of.insert) return true;
      if (of.update) return finds_what_changed(of.update->table.table);
      if (of.erase) return finds_what_changed(of.erase->table.table);
      if (statement_.is_cut) return base_.answer.size() > statement_.rows.size();
    }
    auto rows = statement_.rows;
    std::sort(rows.begin(), rows.end());
    return rows == base_.answer;
  }

  [[nodiscard]] bool finds_what_changed(TableId table) const {
    std::set<PrimaryKey> changed;
    for (const RowChange& change : statement_.changes)
      if (change.table == table && change.replaced) changed.insert(change.old_key);
    return std::includes(changed.begin(), changed.end(), base_.changed.begin(),
                         base_.changed.end());
  }

  void add(const Row& row) {
    if (seen_.own.contains(row) || !told_.insert(row).second) return;
    out_.reads.emplace_back(row, seen_.versions.seen(row, seen_.commits).version);
  }

  template <class Matters>
  void add_if(const Region& region, const Matters& matters) {
    for_each_key(seen_.versions, region,
                 [&](const PrimaryKey& key, const std::vector<Version>& versions) {
                   const Row row{region.table, key};
                   if (told_.contains(row) || seen_.own.contains(row)) return;
                   if (matters(row, Versions::seen(versions, seen_.commits))) add(row);
                 });
  }

  // With the next version the answer would be another one.
  void add_followed(const Region& region) {
    add_if(region, [&](const Row& row, const Versions::Seen& seen) {
      return seen.next != nullptr && seen.next->writer != seen_.self &&
             changes_answer(row, seen.next->row);
    });
  }

  // Without it the answer would be another one.
  void add_needed(const Region& region) {
    add_if(region, [&](const Row& row, const Versions::Seen& seen) {
      return !seen.version.row.is_null() && changes_answer(row, Value());
    });
  }

  void add_absent(const Region& region) {
    if (!region.is_one_row()) return;
    Row row{region.table, {}};
    for (const auto& pin : region.pins)
      row.second.push_back(*pin);
    const auto seen = seen_.versions.seen(row, seen_.commits);
    if (seen.version.row.is_null() && seen.next == nullptr) add(row);
  }

  // The rows that ON CONFLICT came upon.  At READ COMMITTED these may be newer.
  void add_conflicts() {
    const Statement* const of = statement_.what.statement;
    if (of == nullptr || !of->insert || level_ <= IsolationLevel::ReadCommitted ||
        of->insert->on_conflict == program::Insert::OnConflict::Fail)
      return;
    const TableId table = of->insert->table;
    for (const auto& line : base_.answer) {
      const Row row{table,
                    program::primary_key_of(program_.tables[table.index], line[0].items())};
      if (!seen_.versions.seen(row, seen_.commits).version.row.is_null()) add(row);
    }
  }

  [[nodiscard]] bool sees_all() const {
    if (statement_.what.kind == program::AsksServer::Kind::Value)
      return looks_at_all_within(*statement_.what.expression);
    const Statement& of = *statement_.what.statement;
    if (of.query) return looks_at_all_within(*of.query);
    const auto* where = of.update  ? of.update->where.get()
                        : of.erase ? of.erase->where.get()
                                   : nullptr;
    return !of.insert && (where == nullptr || looks_at_all_within(*where));
  }

  // The one table of a statement without queries inside: whether a row matters, its WHERE
  // says.
  [[nodiscard]] std::optional<const Expression*> only_condition() const {
    if (statement_.what.kind == program::AsksServer::Kind::Value) return std::nullopt;
    const Statement& of = *statement_.what.statement;
    if (of.query) {
      if (of.query->from.size() != 1 || !looks_at_all(*of.query) ||
          any_part(*of.query, is_query))
        return std::nullopt;
      return of.query->where.get();
    }
    const bool has_one =
        (of.update && of.update->from.empty()) || (of.erase && of.erase->from.empty());
    if (!has_one) return std::nullopt;
    const Expression* where = of.update ? of.update->where.get() : of.erase->where.get();
    if (where != nullptr && any_part(*where, is_query)) return std::nullopt;
    return where;
  }

  // Would it be another one if this row were so?  The row is none that the answer took in,
  // unless the statement may stop early.
  [[nodiscard]] bool changes_answer(const Row& row, const Value& value) {
    if (const auto condition = only_condition()) {
      if (value.is_null()) return false;
      if (*condition == nullptr) return true;
      program::Context context;
      context.variables = statement_.variables;
      context.found = statement_.found;
      context.row_count = statement_.row_count;
      const Tuple tuple = {value};
      const program::Rows rows{.current = tuple, .around = nullptr, .group = {}};
      return program::holds(**condition, &rows, context);
    }
    if (++evaluations_ > std::min(evaluations_max, looks_max / (base_.looks + 1)))
      return false;
    const Instead instead{.row = row, .value = value};
    const Evaluated other = evaluate(&instead);
    return !other.has_failed && other.answer != base_.answer;
  }

  const Program& program_;
  const LiveStatement& statement_;
  IsolationLevel level_;
  const SeenBy& seen_;
  Evaluated base_;
  StatementReads out_;
  std::set<Row> told_;
  std::size_t evaluations_ = 0;
};

bool locks(const Select& query) {
  return std::any_of(query.from.begin(), query.from.end(), [](const Source& source) {
    return source.lock != program::Lock::None;
  });
}

// A statement that waits for locks and goes on with newer versions saw more than its
// snapshot, and one that skips what is locked less.
bool has_seen_snapshot(const LiveStatement& statement, IsolationLevel level) {
  if (statement.has_failed || !statement.snapshot) return false;
  if (statement.what.kind == program::AsksServer::Kind::Value) return true;
  const Statement& of = *statement.what.statement;
  if (of.advisory) return false;
  const bool has_one_snapshot = level > IsolationLevel::ReadCommitted;
  if (of.update || of.erase) return has_one_snapshot;
  if (!of.query || !locks(*of.query)) return of.query || of.insert;
  const bool skips =
      std::any_of(of.query->from.begin(), of.query->from.end(), [](const Source& source) {
        return source.lock_wait == program::LockWait::SkipLocked;
      });
  return has_one_snapshot && !skips && !of.query->limit && !of.query->offset &&
         !program::rows_taken(of);
}

}  // namespace

StatementReads reads_of(const program::Program& program, const LiveStatement& statement,
                        IsolationLevel level, const SeenBy& seen) {
  if (!has_seen_snapshot(statement, level)) return {};
  return Reads(program, statement, level, seen).run();
}

}  // namespace isomer::record
