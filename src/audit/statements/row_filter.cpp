// SPDX-License-Identifier: MIT
#include "audit/statements/row_filter.h"

#include <algorithm>

#include <fmt/format.h>

#include "program/machine/references.h"

namespace isomer::audit {

RowFilter::RowFilter(Situation situation, std::vector<Source> from, const Expression* where,
                     std::shared_ptr<const RowTerms> around, std::string name)
    : situation_(std::move(situation)),
      from_(std::move(from)),
      around_(std::move(around)),
      name_(std::move(name)) {
  where_ = analysed(where);
  for (const Source& source : from_)
    join_on_.push_back(analysed(source.left_join_on.get()));
  is_exact_ = from_.size() == 1 && around_ == nullptr &&
              program::conjuncts_of(where).size() == where_.size();
}

// Conditions with subqueries are left out: whether they hold is not known.
std::vector<RowFilter::Conjunct> RowFilter::analysed(const Expression* condition) const {
  std::vector<Conjunct> out;
  for (const Expression* part : program::conjuncts_of(condition)) {
    if (has_query(*part)) continue;
    Conjunct conjunct{.condition = part,
                      .mentions = std::vector<bool>(from_.size()),
                      .needs_key = std::vector<bool>(from_.size(), true),
                      .needs_fixed = std::vector<bool>(from_.size(), true)};
    program::visit_columns(*part, 0, [&](const Expression& column) {
      const std::size_t i = column.source.index;
      conjunct.mentions[i] = true;
      if (!situation_.schema->is_key(from_[i].table, column.column))
        conjunct.needs_key[i] = false;
      if (!situation_.schema->is_fixed(from_[i].table, column.column))
        conjunct.needs_fixed[i] = false;
    });
    out.push_back(std::move(conjunct));
  }
  return out;
}

bool RowFilter::mentions_outer(const Conjunct& conjunct) const {
  for (std::size_t i = 0; i < from_.size(); ++i)
    if (conjunct.mentions[i] && is_outer(i)) return true;
  return false;
}

// One statement finds many tuples of rows: the rows next to the record are its own.
RowTerms RowFilter::scope_with(std::size_t source, const Record& record) const {
  RowTerms out{.rows = {}, .around = around_.get()};
  for (std::size_t i = 0; i < from_.size(); ++i)
    out.rows.push_back(
        {.record = i == source ? record
                               : situation_.schema->partner(
                                     record, from_[i].table,
                                     fmt::format("{}.other{} of {}", name_, i, source)),
         .known = {}});
  return out;
}

// The column of the source's primary key that the condition equates with something.
std::optional<std::size_t> RowFilter::pinned_column(const Expression& condition,
                                                    std::size_t source) const {
  if (condition.kind != Expression::Kind::Call ||
      condition.function != program::Function::Equal)
    return std::nullopt;
  const TableId table = from_[source].table;
  const auto& key = situation_.schema->program().tables[table.index].primary_key;
  for (const auto& side : condition.arguments) {
    if (side->kind != Expression::Kind::Column || side->outer != 0 ||
        side->source.index != source)
      continue;
    const auto place = std::find(key.begin(), key.end(), side->column);
    if (place != key.end()) return static_cast<std::size_t>(place - key.begin());
  }
  return std::nullopt;
}

// A scan whose primary key is equated with something known reads that row, whatever else
// the WHERE says of the key; of two equations for one column, either may be used.
std::optional<Term> RowFilter::looks_up(const std::vector<const Conjunct*>& usable,
                                        std::size_t source, const RowTerms& scope) const {
  const TableId table = from_[source].table;
  const auto& key = situation_.schema->program().tables[table.index].primary_key;
  std::vector<std::vector<Term>> pins(key.size());
  for (const Conjunct* conjunct : usable)
    if (const auto column = pinned_column(*conjunct->condition, source))
      pins[*column].push_back(situation_.holds(*conjunct->condition, &scope));
  std::vector<Term> parts;
  for (const auto& equations : pins) {
    if (equations.empty()) return std::nullopt;
    parts.push_back(situation_.terms().any(equations));
  }
  return situation_.terms().all(parts);
}

Term RowFilter::looks_at(std::size_t source, const Record& record) const {
  const bool is_scan = situation_.schema->model().reads == Reads::Scanned;
  const RowTerms scope = scope_with(source, record);
  std::vector<const Conjunct*> usable;
  for (const Conjunct& conjunct : is_outer(source) ? join_on_[source] : where_) {
    if (!is_outer(source) && mentions_outer(conjunct)) continue;
    const bool is_later =
        std::find(conjunct.mentions.begin() + static_cast<std::ptrdiff_t>(source) + 1,
                  conjunct.mentions.end(), true) != conjunct.mentions.end();
    if (is_scan && is_later) continue;
    if ((is_scan ? conjunct.needs_key : conjunct.needs_fixed)[source])
      usable.push_back(&conjunct);
  }
  if (is_scan)
    if (const auto found = looks_up(usable, source, scope)) return *found;
  std::vector<Term> parts;
  for (const Conjunct* conjunct : usable)
    parts.push_back(situation_.holds(*conjunct->condition, &scope));
  return situation_.terms().all(parts);
}

Term RowFilter::matches(std::size_t source, const Record& record) const {
  const RowTerms scope = scope_with(source, record);
  std::vector<Term> parts{situation_.schema->is_alive(record, situation_.viewer)};
  for (const Conjunct& conjunct : where_)
    if (!mentions_outer(conjunct))
      parts.push_back(situation_.holds(*conjunct.condition, &scope));
  return situation_.terms().all(parts);
}

// Columns of the key that the WHERE equates with something known are that; the others are
// open.
Record RowFilter::pinned_record(std::size_t source, const std::string& name) const {
  Schema& schema = *situation_.schema;
  Terms& terms = situation_.terms();
  const TableId table = from_[source].table;
  Record out = schema.open_record(table, name);
  const auto& key = schema.program().tables[table.index].primary_key;
  const auto pin = [&](const Expression& column, const Expression& value) {
    if (column.kind != Expression::Kind::Column || column.outer != 0 ||
        column.source.index != source)
      return;
    bool is_open = false;
    program::visit_columns(value, 0, [&](const Expression&) { is_open = true; });
    const auto place = std::find(key.begin(), key.end(), column.column);
    if (is_open || place == key.end()) return;
    const Cell cell = situation_.evaluate(value, nullptr);
    Term& at = out.key[static_cast<std::size_t>(place - key.begin())];
    if (terms.sort(cell.data) == terms.sort(at)) at = cell.data;
  };
  for (const Conjunct& conjunct : where_) {
    const Expression& condition = *conjunct.condition;
    if (condition.kind != Expression::Kind::Call ||
        condition.function != program::Function::Equal)
      continue;
    pin(*condition.arguments[0], *condition.arguments[1]);
    pin(*condition.arguments[1], *condition.arguments[0]);
  }
  return out;
}

RowFilter::Found RowFilter::found_tuple(const std::string& name) const {
  Found out{.scope = {.rows = {}, .around = around_.get()}, .condition = {}};
  std::vector<Term> parts;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    SeenRow row{.record = pinned_record(i, fmt::format("{}.row{}", name, i)),
                .known = {},
                .is_open = is_outer(i)};
    if (!is_outer(i))
      parts.push_back(situation_.schema->is_alive(row.record, situation_.viewer));
    out.scope.rows.push_back(std::move(row));
  }
  for (const Conjunct& conjunct : where_)
    if (!mentions_outer(conjunct))
      parts.push_back(situation_.holds(*conjunct.condition, &out.scope));
  out.condition = situation_.terms().all(parts);
  return out;
}

}  // namespace isomer::audit
