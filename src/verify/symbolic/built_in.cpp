// SPDX-License-Identifier: MIT
#include "verify/symbolic/built_in.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/keys.h"

namespace isomer::verify {
namespace {

using program::Column;
using program::Expression;
using program::ExpressionPtr;
using program::Function;
using program::Select;
using program::SourceId;
using program::TypeKind;
using program::Value;

// --- queries ---

const program::Type boolean{.kind = TypeKind::Bool,
                            .precision = {},
                            .scale = 0,
                            .length_max = {},
                            .is_padded = false};

ExpressionPtr column(const program::Table& table, std::uint32_t source, ColumnId id) {
  auto out = std::make_shared<Expression>();
  out->kind = Expression::Kind::Column;
  out->type = table.columns[id.index].type;
  out->source = SourceId{source};
  out->column = id;
  return out;
}

ExpressionPtr call(Function function, std::vector<ExpressionPtr> arguments) {
  auto out = std::make_shared<Expression>();
  out->kind = Expression::Kind::Call;
  out->type = boolean;
  out->function = function;
  out->arguments = std::move(arguments);
  return out;
}

ExpressionPtr all(std::vector<ExpressionPtr> parts) {
  ExpressionPtr out = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i)
    out = call(Function::And, {out, parts[i]});
  return out;
}

ExpressionPtr truth(bool value) {
  auto out = std::make_shared<Expression>();
  out->type = boolean;
  out->value = Value::boolean(value);
  return out;
}

// SELECT NOT EXISTS (SELECT true FROM .. WHERE ..)
program::SelectPtr none_exists(std::vector<program::Source> from, ExpressionPtr where) {
  auto inner = std::make_shared<Select>();
  inner->from = std::move(from);
  inner->where = std::move(where);
  inner->columns = {truth(true)};
  inner->column_names = {"exists"};
  auto exists = std::make_shared<Expression>();
  exists->kind = Expression::Kind::Exists;
  exists->type = boolean;
  exists->query = std::move(inner);
  auto out = std::make_shared<Select>();
  out->columns = {call(Function::Not, {std::move(exists)})};
  out->column_names = {"holds"};
  return out;
}

std::string names(const program::Table& table, const std::vector<ColumnId>& columns) {
  std::string out;
  for (const ColumnId id : columns)
    out += fmt::format("{}{}", out.empty() ? "" : ", ", table.columns[id.index].name);
  return fmt::format("{} ({})", table.name, out);
}

program::Invariant unique_invariant(const program::Table& table, TableId id,
                                    const std::vector<ColumnId>& columns) {
  std::vector<ExpressionPtr> same;
  for (const ColumnId column_id : columns)
    same.push_back(
        call(Function::Equal, {column(table, 0, column_id), column(table, 1, column_id)}));
  std::vector<ExpressionPtr> other;
  for (const ColumnId column_id : table.primary_key)
    other.push_back(
        call(Function::Equal, {column(table, 0, column_id), column(table, 1, column_id)}));
  same.push_back(call(Function::Not, {all(std::move(other))}));
  const std::string name = fmt::format("unique {}", names(table, columns));
  return {.name = name,
          .query = none_exists({{.table = id, .alias = "a"}, {.table = id, .alias = "b"}},
                               all(std::move(same))),
          .assert = nullptr,
          .text = name};
}

program::Invariant reference_invariant(const Program& program, TableId id,
                                       const program::ForeignKey& key) {
  const program::Table& table = program.tables[id.index];
  const program::Table& target = program.tables[key.table.index];
  std::vector<ExpressionPtr> matches;
  std::vector<ExpressionPtr> dangles;
  for (std::size_t i = 0; i < key.columns.size(); ++i) {
    matches.push_back(call(Function::Equal, {column(table, 0, key.columns[i]),
                                             column(target, 1, key.referenced[i])}));
    dangles.push_back(
        call(Function::Not, {call(Function::IsNull, {column(table, 0, key.columns[i])})}));
  }
  dangles.push_back(call(Function::IsNull, {column(target, 1, target.primary_key[0])}));
  const std::string name =
      fmt::format("foreign key {} to {}", names(table, key.columns), target.name);
  return {.name = name,
          .query = none_exists(
              {{.table = id, .alias = "a"},
               {.table = key.table, .alias = "b", .left_join_on = all(std::move(matches))}},
              all(std::move(dangles))),
          .assert = nullptr,
          .text = name};
}

// --- updates ---

bool is_number(const Column& of) {
  switch (of.type.kind) {
    case TypeKind::Int2:
    case TypeKind::Int4:
    case TypeKind::Int8:
    case TypeKind::Numeric:
      return true;
    default:
      return false;
  }
}

bool is_counted(const program::Table& table, std::uint32_t id) {
  return is_number(table.columns[id]) &&
         std::ranges::count(table.primary_key, ColumnId{id}) == 0;
}

// What a transaction read first under the key.
Row seen(Terms& terms, const Summary& transaction, const program::Table& table,
         const Site& site) {
  Row out = absent_row(terms, table);
  for (auto read = transaction.reads.rbegin(); read != transaction.reads.rend(); ++read)
    if (read->table == site.table)
      out = choose(terms, terms.both(read->when, same_key(terms, read->key, site.key)),
                   read->row, out);
  return out;
}

Term lost_at(SymbolicProgram& in, const Site& site, const Row& last) {
  Terms& terms = in.terms;
  const program::Table& table = in.program.tables[site.table.index];
  const Row initial = in.possible_rows->initial(site.table, site.key);
  Term any = terms.truth(false);
  for (std::uint32_t c = 0; c < table.columns.size(); ++c) {
    if (!is_counted(table, c)) continue;
    const auto is_number_in = [&](const Row& row) {
      return terms.both(row.exists, terms.negation(row.columns[c].is_null));
    };
    Term applies =
        terms.all(std::array{site.exists, is_number_in(initial), is_number_in(last)});
    Term sum = initial.columns[c].data;
    for (const Summary& transaction : in.transactions) {
      const Term writes = transaction.writes_key(terms, site.table, site.key);
      if (terms.is_false(writes)) continue;
      const Row before = seen(terms, transaction, table, site);
      const Row after = transaction.written(terms, table, site.table, site.key);
      applies = terms.both(applies, terms.implies(writes, terms.both(is_number_in(before),
                                                                     is_number_in(after))));
      const Term change = terms.difference(after.columns[c].data, before.columns[c].data);
      sum = terms.choose(writes, terms.sum(sum, change), sum);
    }
    any = terms.either(
        any, terms.both(applies, terms.negation(terms.same(sum, last.columns[c].data))));
  }
  return any;
}

std::optional<program::Decimal> number_of(const Value& row, std::uint32_t id) {
  if (row.is_null()) return std::nullopt;
  const Value& value = row.items()[id];
  if (const auto* integer = value.get_if<std::int64_t>())
    return program::decimal_of(*integer);
  if (const auto* decimal = value.get_if<program::Decimal>()) return *decimal;
  return std::nullopt;
}

// The change that a transaction made to a number; absent if it is none.
std::optional<program::Decimal> change_of(const store::RanTransaction& ran,
                                          const program::KeyName& key, std::uint32_t id) {
  std::optional<program::Decimal> before;
  std::optional<program::Decimal> after;
  bool has_read = false;
  for (const store::Access& access : ran.accesses) {
    if (access.key != key) continue;
    if (access.is_write)
      after = number_of(access.value, id);
    else if (!std::exchange(has_read, true))
      before = number_of(access.value, id);
  }
  if (!before || !after) return std::nullopt;
  return program::subtract(*after, *before);
}

}  // namespace

std::vector<program::Invariant> constraint_invariants(const Program& program) {
  std::vector<program::Invariant> out;
  for (std::uint32_t i = 0; i < program.tables.size(); ++i) {
    for (const auto& columns : program.tables[i].unique)
      out.push_back(unique_invariant(program.tables[i], {i}, columns));
    for (const program::ForeignKey& key : program.tables[i].foreign_keys)
      out.push_back(reference_invariant(program, {i}, key));
  }
  return out;
}

Term lost_update(SymbolicProgram& symbolic, const std::vector<Row>& last) {
  Term any = symbolic.terms.truth(false);
  for (std::size_t s = 0; s < symbolic.sites.size(); ++s)
    any = symbolic.terms.either(any, lost_at(symbolic, symbolic.sites[s], last[s]));
  return any;
}

std::string lost_update(const ConcreteModel& model, const Replay& replay,
                        const store::FinalState& final_state) {
  const auto initial = program::initial_database(model.program);
  for (const auto& [key, row] : initial) {
    const auto last = final_state.find(key);
    if (last == final_state.end()) continue;
    const auto table = std::ranges::find_if(model.program.tables, [&](const auto& of) {
      return program::parse_row_key(of, key).has_value();
    });
    for (std::uint32_t c = 0; c < table->columns.size(); ++c) {
      if (!is_counted(*table, c)) continue;
      auto sum = number_of(row, c);
      for (const store::RanTransaction& ran : replay.ran) {
        const bool writes = std::ranges::any_of(ran.accesses, [&](const auto& access) {
          return access.is_write && access.key == key;
        });
        if (!writes || !ran.outcome.is_committed || !sum) continue;
        const auto change = change_of(ran, key, c);
        sum = change ? program::add(*sum, *change) : std::nullopt;
      }
      if (sum && *sum != number_of(last->second, c))
        return fmt::format("{} of {}", table->columns[c].name, key);
    }
  }
  return {};
}

}  // namespace isomer::verify
